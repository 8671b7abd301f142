import type { AdminContacts } from '#shared/alerts/admin-notices';
import type { Delivery } from '#shared/alerts/deliveries/deliveries';
import {
  createDeliverySender,
  type DeliverySenderContext,
} from '#shared/alerts/deliveries/send-delivery.server';
import { createEventSender } from '#shared/billing/apply-event.server';
import type { PaymentEvent } from '#shared/billing/payment-events';
import type { Config } from '#shared/config.server';
import type { WriteRetrier } from '#shared/database/write-retrier';
import { SECOND, type Clock } from '#shared/clock';
import type { Logger } from '#shared/logger.server';
import { MAIL_CONNECTIONS, type Mailer } from '#shared/channels/email/mailer.server';
import { createMailSender } from '#shared/mail/send-mail.server';
import type { QueuedMail } from '#shared/mail/mails';
import type { OutboxSender } from '#shared/outbox/attempt';
import type { OutboxRow } from '#shared/outbox/outbox';
import type { PaymentsContext } from '#shared/payments/payments-context';
import type { PushClient } from '#shared/channels/push/push-client.server';
import { enqueueDue } from '#shared/queues/enqueue';
import type { Keyring } from '#shared/secrets.server';
import type { Connections } from '../connections';
import type { Metrics } from '../health/metrics';
import { createMemberAlerts, type MemberAlerts } from './member-alerts';
import { createMailLanes, type MailLanes } from './mail-lanes';
import { createSender, type Sender, type SlowAttempts } from './sender';

/** More than there are watches (each alert has a message or two), so that webhooks that hang leave slots to the others. */
const DELIVERY_CONCURRENCY = 256;
/** Of sign-in codes, and of all other mails; each lane has a pool of `MAIL_CONNECTIONS`. */
const MAIL_CONCURRENCY = 5;
/** A mail server may take minutes for some recipients. Leaves connections of the pool to the notices to the admins. */
const SLOW_MAILS = { afterMs: 5 * SECOND, total: MAIL_CONNECTIONS - 5 };
/** Far below Stripe's limit of 100 requests a second (docs.stripe.com/rate-limits). */
const EVENT_CONCURRENCY = 8;

/** The senders of every outbox. */
export interface Senders {
  deliveries: Sender<Delivery>;
  mails: MailLanes;
  paymentEvents: Sender<PaymentEvent>;
  members: MemberAlerts;
  /** How the deliveries reach Discord and the admins. */
  deliveryContext: DeliverySenderContext;
}

/** Creates the senders of this process. */
export function createSenders(
  { db, queues, discord, mailer, codeMailer, alertMailer }: Connections,
  {
    config,
    clock,
    logger,
    owner,
    keyring,
    payments,
    push,
    adminContacts,
    outcomes,
    handleClockStep,
    metrics,
  }: {
    config: Config;
    clock: Clock;
    logger: Logger;
    /** The id of this process in claims. */
    owner: string;
    keyring: Keyring;
    payments: PaymentsContext;
    push: PushClient;
    adminContacts: AdminContacts;
    outcomes: WriteRetrier;
    handleClockStep: () => Promise<void>;
    metrics: Metrics;
  },
): Senders {
  const loggerOf = (worker: string): Logger => logger.child({ worker });
  const common = { db, mailer, keyring, clock, appUrl: config.appUrl, owner, outcomes, handleClockStep };
  const create = <Row extends OutboxRow>(
    queue: 'alerts' | 'mail' | 'payments',
    concurrency: number,
    outbox: OutboxSender<Row>,
    slow?: SlowAttempts,
  ): Sender<Row> =>
    createSender({
      outbox,
      ...(slow === undefined ? {} : { slow }),
      enqueue: (due) => enqueueDue(queues, queue, due, clock.now()),
      concurrency,
      clock,
      logger: loggerOf(queue),
    });

  const deliveryContext: DeliverySenderContext = {
    ...common,
    discord,
    logger: loggerOf('alerts'),
    webhookHosts: config.discord.webhookHosts,
    adminContacts,
    onOutcome: metrics.delivered,
  };
  const deliveries = create('alerts', DELIVERY_CONCURRENCY, createDeliverySender(deliveryContext));
  const createMails = (lane: Mailer | null): Sender<QueuedMail> =>
    create(
      'mail',
      MAIL_CONCURRENCY,
      createMailSender({ ...common, mailer: lane, logger: loggerOf('mail'), onOutcome: metrics.mailed }),
      SLOW_MAILS,
    );
  const onNotices = (notices: readonly Delivery[]): void => deliveries.dispatch(notices);
  return {
    deliveries,
    deliveryContext,
    mails: createMailLanes({
      db,
      clock,
      logger: loggerOf('mail'),
      codes: createMails(codeMailer),
      others: createMails(mailer),
    }),
    paymentEvents: create(
      'payments',
      EVENT_CONCURRENCY,
      createEventSender({
        ...common,
        payments,
        adminContacts,
        onNotices,
        logger: loggerOf('payments'),
        onOutcome: metrics.appliedEvent,
      }),
    ),
    members: createMemberAlerts({
      ...common,
      mailer: alertMailer,
      push,
      queues,
      adminContacts,
      logger: loggerOf('members'),
      isUrgent: deliveries.isSending,
      onNotices,
      onOutcome: metrics.sentToMember,
    }),
  };
}
