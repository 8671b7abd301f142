import type { AdminContacts } from '#shared/alerts/admin-notices';
import type { Delivery } from '#shared/alerts/deliveries/deliveries';
import { SECOND, type Clock } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import type { WriteRetrier } from '#shared/database/write-retrier';
import {
  ALERT_MAIL_CONNECTIONS,
  ALERT_MAIL_CONNECTIONS_AT_MOST,
  MAIL_ANSWERED,
} from '#shared/channels/email/mailer.server';
import type { Logger } from '#shared/logger.server';
import { fanOutStep, listPendingFanOuts } from '#shared/member-alerts/fan-out';
import { memberOutbox, type MemberChannel, type MemberDelivery } from '#shared/member-alerts/member-outbox';
import { listDueDeliveries, type MemberLane } from '#shared/member-alerts/list-due';
import { addressBatch } from '#shared/member-alerts/read-batch';
import { judgePushAnswers } from '#shared/member-alerts/judge-push-answers';
import { recordAttempts, type MemberAttempt } from '#shared/member-alerts/record-outcomes';
import {
  sendMemberAlert,
  type MemberOutcome,
  type MemberSenderContext,
} from '#shared/member-alerts/send-member-alert.server';
import { keepClaim } from '#shared/outbox/attempt';
import { endpointHost } from '#shared/push/ended-subscriptions';
import { createFaultGuard } from '#shared/push/fault-guard';
import type { Queues } from '#shared/queues/connection.server';
import { enqueueFanOut, enqueueMemberBatches } from '#shared/queues/enqueue';
import { createBatchSender, type BatchSender } from './batch-sender';
import { createDestinationLimiter, type AttemptEnd } from './destination-limiter';
import { createPacer } from './pacer';

/** The instant message leaves before the work for the members begins. */
const INSTANT_FIRST_MS = SECOND / 10;

/** The connections of the mailer that tests may use, so that they never take one from an alert. */
const TEST_MAIL_CONNECTIONS = 2;
const ALERT_MAILS = ALERT_MAIL_CONNECTIONS - TEST_MAIL_CONNECTIONS;
/** With those that wait for slow answers. */
const ALERT_MAILS_AT_MOST = ALERT_MAIL_CONNECTIONS_AT_MOST - TEST_MAIL_CONNECTIONS;
/** A mail server's answer takes seconds more often than a push service's. */
const SLOW_MAIL_MS = 5 * SECOND;

/**
 * Per channel: the rows that are claimed at a time, and the attempts at the same time (see `DestinationLimits`). A slow
 * push is a socket that waits; a slow mail occupies one of the mailer's connections until it ends.
 */
const LIMITS = {
  push: {
    batch: 1_000,
    alerts: { slots: 200, total: 800, perDestination: 100 },
    tests: { slots: 8, total: 32, perDestination: 4, perOwner: 2 },
  },
  email: {
    batch: ALERT_MAIL_CONNECTIONS_AT_MOST,
    alerts: {
      slots: ALERT_MAILS,
      total: ALERT_MAILS_AT_MOST,
      // Many members share a domain, and a few slow mailboxes of it must not delay its others.
      perDestination: Math.ceil(ALERT_MAILS_AT_MOST * 0.75),
      slowAfterMs: SLOW_MAIL_MS,
    },
    tests: {
      slots: TEST_MAIL_CONNECTIONS,
      total: TEST_MAIL_CONNECTIONS,
      perDestination: TEST_MAIL_CONNECTIONS,
      perOwner: 1,
      slowAfterMs: SLOW_MAIL_MS,
    },
  },
} as const;

/** What an outcome says about the push service, or about the mail server and the domain of the address. */
function endOf({ row, outcome }: MemberAttempt): AttemptEnd {
  switch (outcome.is) {
    case 'cancelled':
    case 'expired':
      return 'unused';
    case 'uncertain':
    case 'retry':
      // A temporary refusal by a mail server, such as greylisting, is about one recipient: the server answers.
      if (row.channel === 'email' && outcome.reason.startsWith(MAIL_ANSWERED)) return 'answered';
      return outcome.status === null ? 'silent' : 'busy';
    case 'rejected':
      // Without a status, nothing was sent.
      return outcome.status === null ? 'unused' : 'answered';
    default:
      return 'answered';
  }
}

/** Alerts to members: lists the receivers of each alert and sends to them. */
export interface MemberAlerts {
  /** Called after the commit of a check that opened or reopened an alert. */
  announce(alertId: string): void;
  /** Lists the members of every alert whose listing is not complete. */
  fanOut(): Promise<void>;
  /** Sends what is due over a channel. */
  send(channel: MemberChannel): Promise<void>;
  /** Starts what is due and not under way. Called by the loop each second. */
  sweep(): Promise<void>;
  /** Begins nothing more. Resolves when every claimed row is settled. */
  stop(): Promise<void>;
}

interface MemberAlertsContext extends MemberSenderContext {
  db: Database;
  clock: Clock;
  logger: Logger;
  queues: Queues;
  /** The id of this process in claims. */
  owner: string;
  outcomes: WriteRetrier;
  handleClockStep: () => Promise<void>;
  adminContacts: AdminContacts;
  /** Whether an instant message is being sent: it goes first. */
  isUrgent(): boolean;
  /** Sends notices to the admins. */
  onNotices(notices: readonly Delivery[]): void;
  /** Called for each attempt, for metrics. */
  onOutcome(row: MemberDelivery, outcome: MemberOutcome): void;
}

/** Creates the fan-out and the senders of both channels for this process. */
export function createMemberAlerts(context: MemberAlertsContext): MemberAlerts {
  const { db, clock, logger, queues, owner, outcomes, handleClockStep, adminContacts } = context;
  const pacer = createPacer({ isUrgent: context.isUrgent });
  const faultGuard = createFaultGuard(clock);
  let stopped = false;
  let listing: Promise<void> | null = null;
  const timers = new Set<NodeJS.Timeout>();

  function enqueue(job: Promise<void>): void {
    job.catch(() => logger.debug('Redis is down: the sweep sends to the members'));
  }

  async function settle(channel: MemberChannel, ended: readonly MemberAttempt[]): Promise<void> {
    const { attempts, faults } = judgePushAnswers(ended, faultGuard);
    const { dueAgain, notices, suspectRefusals } = await outcomes.untilWritten(async () => {
      await handleClockStep();
      return recordAttempts(db, { attempts, clock, adminContacts, faults });
    });
    for (const { host, why, reason } of faults)
      logger.warn({ host, why, reason }, 'a push service refuses most browsers: none of them is ended');
    for (const { row, outcome } of attempts) {
      context.onOutcome(row, outcome);
      if (outcome.is !== 'ok' && 'reason' in outcome)
        logger.debug(
          { deliveryId: row.id, channel, attempt: row.attempts, outcome: outcome.is, reason: outcome.reason },
          'a member alert was not sent',
        );
    }
    if (suspectRefusals > 0)
      logger.warn(
        { addresses: suspectRefusals },
        'most addresses of an alert were refused alike: none is marked as bounced',
      );
    context.onNotices(notices);
    if (dueAgain.length > 0) enqueue(enqueueMemberBatches(queues, channel, dueAgain, clock.now()));
  }

  function createChannel(channel: MemberChannel): BatchSender {
    const { batch, alerts, tests } = LIMITS[channel];
    return createBatchSender<MemberDelivery, MemberAttempt, MemberLane>({
      batch,
      lanes: { alerts: createDestinationLimiter(alerts), tests: createDestinationLimiter(tests) },
      endOf,
      logger: logger.child({ channel }),
      async list(after) {
        await handleClockStep();
        return pacer.run(() => listDueDeliveries(db, { channel, after, now: clock.now() }), { first: true });
      },
      async claim(ids) {
        await handleClockStep();
        return pacer.run(() => memberOutbox.claimMany(db, { ids, owner, now: clock.now() }), { first: true });
      },
      async prepare(rows) {
        const addressed = await addressBatch(db, rows, clock.now());
        return (row) =>
          pacer.run(
            async () => {
              if (stopped) {
                await memberOutbox.giveBack(db, { rows: [row], now: clock.now() });
                return null;
              }
              const to = addressed.get(row.id) ?? { is: 'expired' };
              const outcome = await keepClaim(context, memberOutbox, row, () =>
                sendMemberAlert(context, row, to),
              );
              const pushHost = to.is === 'push' ? endpointHost(to.to.endpoint) : null;
              return { row, outcome, pushHost, endedAt: clock.now() };
            },
            // Push is due within seconds, mail within minutes.
            { first: channel === 'push' },
          );
      },
      settle: (attempts) => settle(channel, attempts),
    });
  }
  const channels = { push: createChannel('push'), email: createChannel('email') };

  function sendBoth(): void {
    void channels.push.sendDue();
    void channels.email.sendDue();
  }

  async function listAll(): Promise<void> {
    for (const alertId of await listPendingFanOuts(db)) {
      let listed = 0;
      for (let done = false; !done && !stopped;) {
        await handleClockStep();
        const step = await pacer.run(
          () => fanOutStep(db, { alertId, mailEnabled: context.mailer !== null, clock }),
          { first: true },
        );
        ({ done } = step);
        listed += step.added;
        if (step.added > 0) sendBoth();
      }
      logger.info({ alertId, deliveries: listed }, 'listed the members of an alert');
      // Other daemons help to send.
      for (const channel of ['push', 'email'] as const)
        if (listed > 0) enqueue(enqueueMemberBatches(queues, channel, [clock.now()], clock.now()));
    }
  }

  function fanOut(): Promise<void> {
    listing ??= listAll()
      .catch((error: unknown) =>
        logger.warn({ err: error }, 'could not list the members of an alert; the sweep retries'),
      )
      .finally(() => (listing = null));
    return listing;
  }

  return {
    announce(alertId) {
      if (stopped) return;
      const timer = setTimeout(() => {
        timers.delete(timer);
        void fanOut();
        enqueue(enqueueFanOut(queues, alertId));
      }, INSTANT_FIRST_MS);
      timers.add(timer);
    },
    fanOut,
    send: (channel) => channels[channel].sendDue(),
    async sweep() {
      if (listing === null && (await listPendingFanOuts(db)).length > 0) void fanOut();
      sendBoth();
    },
    async stop() {
      stopped = true;
      for (const timer of timers) clearTimeout(timer);
      await Promise.all([listing, channels.push.stop(), channels.email.stop()]);
    },
  };
}
