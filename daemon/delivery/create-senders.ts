import type { AdminContacts } from '#shared/alerts/admin-notices';
import type { Delivery } from '#shared/alerts/deliveries/deliveries';
import {
  createDeliverySender,
  type DeliverySenderContext,
} from '#shared/alerts/deliveries/send-delivery.server';
import { createEventSender } from '#shared/billing/apply-event.server';
import type { DiscordGuild } from '#shared/channels/discord/discord-guild.server';
import { MAIL_CONNECTIONS } from '#shared/channels/email/mailer.server';
import type { PushClient } from '#shared/channels/push/push-client.server';
import type { Config } from '#shared/config.server';
import type { WriteRetrier } from '#shared/database/write-retrier';
import { SECOND, type Clock } from '#shared/clock';
import type { Logger } from '#shared/logger.server';
import { createMailSender } from '#shared/mail/send-mail.server';
import { toDue, type OutboxRow } from '#shared/outbox/define-outbox';
import { createExportSender } from '#shared/personal-data/make-export.server';
import type { PaymentsContext } from '#shared/payments/payments-context';
import { enqueueDue, type RowQueue } from '#shared/queues/enqueue';
import { continueWatchRoles } from '#shared/role-sync/list-watch-roles';
import { createRoleSender } from '#shared/role-sync/send-roles.server';
import { requestRechecks } from '#shared/roles/request-roles';
import type { Keyring } from '#shared/secrets.server';
import type { FileStorage } from '#shared/storage/storage';
import type { Connections } from '../connections';
import type { Metrics } from '../health/metrics';
import type { OutboxRunners } from '../workers/outbox-worker';
import {
  createDestinationLimiter,
  createSlots,
  type DestinationLimiter,
} from '#shared/outbox/destination-limiter';
import { createMemberAlerts } from './member-alerts';
import { createSender, inLane, type Sender } from '#shared/outbox/sender';

/** More than there are watches (each alert has one or two messages), so that hanging webhooks leave free slots. */
const DELIVERY_CONCURRENCY = 256;
/** For sign-in codes, and for all other mails; each lane has a pool of `MAIL_CONNECTIONS`. */
const MAIL_CONCURRENCY = 5;
/** A mail server may take minutes for some recipients. Leaves connections free for notices to the admins. */
const MAIL_SLOTS = { slots: MAIL_CONCURRENCY, total: MAIL_CONNECTIONS - 5, slowAfterMs: 5 * SECOND };
/** Far below Stripe's limit of 100 requests a second (docs.stripe.com/rate-limits). */
const EVENT_CONCURRENCY = 8;
/** In total below the client's connections. Discord's rate limits decide how fast roles change. */
const ROLE_SLOTS = { audiences: 4, watches: 2 } as const;

/** Concurrent archives of personal data: each reads and compresses for some seconds. */
const EXPORT_CONCURRENCY = 1;

/** Creates the senders of this process. */
export function createSenders(
  { db, queues, discord, guild, mailer, codeMailer, alertMailer }: Connections,
  {
    config,
    clock,
    logger,
    owner,
    keyring,
    payments,
    releaseStorage,
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
    /** For files that are never public. */
    releaseStorage: FileStorage;
    push: PushClient;
    adminContacts: AdminContacts;
    outcomes: WriteRetrier;
    handleClockStep: () => Promise<void>;
    metrics: Metrics;
  },
) {
  const loggerOf = (worker: string): Logger => logger.child({ worker });
  const common = {
    db,
    keyring,
    clock,
    appUrl: config.appUrl,
    owner,
    outcomes,
    handleClockStep,
    adminContacts,
  };
  const jobs = (queue: RowQueue) => ({
    enqueue: (rows: readonly OutboxRow[]) => enqueueDue(queues, queue, rows.map(toDue), clock.now()),
    logger: loggerOf(queue),
  });
  const onNotices = (notices: readonly Delivery[]): void => deliveries.dispatch(notices);

  const deliveryContext: DeliverySenderContext = {
    ...common,
    discord,
    mailer,
    logger: loggerOf('alerts'),
    webhookHosts: config.discord.webhookHosts,
    onNotices,
    onOutcome: metrics.attempted.alerts,
  };
  const deliveries = createSender({
    outbox: createDeliverySender(deliveryContext),
    lanes: { all: createSlots({ slots: DELIVERY_CONCURRENCY }) },
    place: inLane(() => 'all'),
    batch: DELIVERY_CONCURRENCY,
    ...jobs('alerts'),
  });
  // Sign-in codes have slots and connections of their own, so that no other mail delays them.
  const mails = createSender({
    outbox: createMailSender({
      ...common,
      mailers: { codes: codeMailer, others: mailer },
      logger: loggerOf('mail'),
      onOutcome: metrics.attempted.mail,
    }),
    lanes: { codes: createSlots(MAIL_SLOTS), others: createSlots(MAIL_SLOTS) },
    place: inLane(({ template }: { template: string } & OutboxRow) =>
      template === 'code' ? 'codes' : 'others',
    ),
    batch: 2 * MAIL_CONNECTIONS,
    ...jobs('mail'),
  });
  const events = createSender({
    outbox: createEventSender({
      ...common,
      payments,
      onNotices,
      logger: loggerOf('payments'),
      onOutcome: metrics.attempted.payments,
    }),
    lanes: { all: createSlots({ slots: EVENT_CONCURRENCY }) },
    place: inLane(() => 'all'),
    batch: EVENT_CONCURRENCY,
    ...jobs('payments'),
  });
  const exports = createSender({
    outbox: createExportSender({
      ...common,
      storage: releaseStorage,
      logger: loggerOf('exports'),
      onOutcome: metrics.attempted.exports,
    }),
    lanes: { all: createSlots({ slots: EXPORT_CONCURRENCY }) },
    place: inLane(() => 'all'),
    batch: EXPORT_CONCURRENCY,
    ...jobs('exports'),
  });
  const roles = guild === null ? null : createRoles(guild);
  const members = createMemberAlerts({
    ...common,
    mailer: alertMailer,
    push,
    queues,
    logger: loggerOf('members'),
    isUrgent: deliveries.isSending,
    onNotices,
    onOutcome: metrics.attempted.members,
  });
  /**
   * While Discord's limits are used up, rows stay unclaimed. A refused role pauses without the others. The roles of
   * audiences go first: a watch's role may be due for thousands of members.
   */
  function createRoles(server: DiscordGuild) {
    const createLane = (slots: number): DestinationLimiter => {
      const limiter = createDestinationLimiter({
        slots,
        total: slots,
        perDestination: slots,
      });
      return {
        ...limiter,
        begin: (...args) => (server.pausedMs() > 0 ? null : limiter.begin(...args)),
      };
    };
    return createSender({
      outbox: createRoleSender({
        ...common,
        guild: server,
        logger: loggerOf('roles'),
        onOutcome: metrics.attempted.roles,
      }),
      lanes: { audiences: createLane(ROLE_SLOTS.audiences), watches: createLane(ROLE_SLOTS.watches) },
      place: (rows) =>
        rows.map(({ id, audience, role_id: roleId, attempts }) => ({
          id,
          lane: roleId === '' ? 'audiences' : 'watches',
          destination: roleId === '' ? audience : roleId,
          isRetry: attempts > 0,
        })),
      batch: ROLE_SLOTS.audiences + ROLE_SLOTS.watches,
      ...jobs('roles'),
    });
  }
  const runnerOf = ({ sendDue, stop }: Pick<Sender<never>, 'sendDue' | 'stop'>) => ({ sweep: sendDue, stop });
  const runners: OutboxRunners = {
    alerts: { handlers: { deliver: deliveries.sendDue }, ...runnerOf(deliveries) },
    mail: { handlers: { send: mails.sendDue }, ...runnerOf(mails) },
    exports: { handlers: { make: exports.sendDue }, ...runnerOf(exports) },
    members: {
      handlers: { fanOut: members.fanOut, send: ({ payload }) => members.send(payload.channel) },
      sweep: members.sweep,
      stop: members.stop,
    },
    // While payments are switched off, events wait.
    payments: payments.stripe === null ? null : { handlers: { apply: events.sendDue }, ...runnerOf(events) },
    roles:
      roles === null
        ? null
        : {
            handlers: { set: roles.sendDue },
            async sweep() {
              await requestRechecks(db, clock.now());
              await continueWatchRoles(db, clock.now());
              await roles.sendDue();
            },
            stop: roles.stop,
          },
  };
  return {
    deliveries,
    members,
    runners,
    /** The connections to Discord and the admins. */
    deliveryContext,
  };
}
