import { announceReleases } from '#shared/alerts/product-announcements';
import { MINUTE, SECOND, fromIso } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import { levelOf } from '#shared/database/database-errors';
import {
  ALERT_MAIL_CONNECTIONS,
  ALERT_MAIL_CONNECTIONS_AT_MOST,
  MAIL_ANSWERED,
} from '#shared/channels/email/mailer.server';
import { fanOutStep, listPendingFanOuts, type FanOutSource } from '#shared/member-alerts/fan-out';
import type { MemberDelivery, MemberOutcome } from '#shared/member-alerts/member-outbox';
import { placeDeliveries } from '#shared/member-alerts/list-due';
import { createMemberSender, type MemberSenderContext } from '#shared/member-alerts/send-member-alert.server';
import type { Attempt } from '#shared/outbox/outbox-sender';
import type { Queues } from '#shared/queues/connection.server';
import { enqueueFanOut, enqueueMemberBatches } from '#shared/queues/enqueue';
import { createDestinationLimiter, type AttemptEnd } from '#shared/outbox/destination-limiter';
import { createPacer } from '#shared/outbox/pacer';
import { attemptEndOf, createSender, type Sender } from '#shared/outbox/sender';
import { MEMBER_CHANNELS, type MemberChannel } from '#shared/member-channels';

/** Outcomes that end within this time are written together. */
const SETTLE_WITHIN_MS = SECOND / 10;
/** Delays the work for members until the instant message is sent. */
const INSTANT_FIRST_MS = SECOND / 10;

/** The mailer connections for tests, so that they never delay an alert. */
const TEST_MAIL_CONNECTIONS = 2;
const ALERT_MAILS = ALERT_MAIL_CONNECTIONS - TEST_MAIL_CONNECTIONS;
/** Including those that wait for slow answers. */
const ALERT_MAILS_AT_MOST = ALERT_MAIL_CONNECTIONS_AT_MOST - TEST_MAIL_CONNECTIONS;
/** Mail servers are slow more often than push services. */
const SLOW_MAIL_MS = 5 * SECOND;

/**
 * Per channel: the claimed rows and the concurrent attempts (see `DestinationLimits`). A slow push is a socket that
 * waits; a slow mail occupies one of the mailer's connections until it ends.
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
      // Many members share a domain, whose slow mailboxes must not delay the others.
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
} as const satisfies Record<MemberChannel, object>;

/** The effect of an outcome on the limits of the push service, or of the mail server and the address's domain. */
function endOf(attempt: Attempt<MemberDelivery, MemberOutcome>): AttemptEnd {
  const { row, outcome } = attempt;
  if (outcome.quietUntil !== undefined) return 'unused';
  // A temporary refusal by a mail server, such as greylisting, concerns one recipient: the server responds.
  const isAnswer =
    row.channel === 'email' && 'reason' in outcome && outcome.reason?.startsWith(MAIL_ANSWERED);
  return isAnswer === true ? 'answered' : attemptEndOf(attempt);
}

/** Alerts to members: lists the receivers of each alert and sends to them. */
export interface MemberAlerts {
  /** Called after the commit of a check that alerts members. `alertId` null: an announcement about a product. */
  announce(alertId: string | null): void;
  /** Lists the members of every alert whose listing is not complete. */
  fanOut(): Promise<void>;
  send(channel: MemberChannel): Promise<void>;
  /** Starts due work that is not in progress. Called by the loop each second. */
  sweep(): Promise<void>;
  /** Starts nothing more. Resolves when every claimed row is settled. */
  stop(): Promise<void>;
}

interface MemberAlertsContext extends MemberSenderContext {
  db: Database;
  queues: Queues;
  /** Whether an instant message is being sent: it goes first. */
  isUrgent(): boolean;
}

/** Creates the fan-out and the senders of both channels for this process. */
export function createMemberAlerts(context: MemberAlertsContext): MemberAlerts {
  const { db, clock, logger, queues, handleClockStep } = context;
  const pacer = createPacer({ isUrgent: context.isUrgent });
  const outbox = createMemberSender(context);
  let stopped = false;
  let listing: Promise<void> | null = null;
  /** The minute of the last read of today's releases. */
  let releasesReadIn: number | null = null;
  const timers = new Set<NodeJS.Timeout>();

  function enqueue(job: Promise<void>): void {
    job.catch(() => logger.debug('Redis is down: the sweep sends to the members'));
  }

  function createChannel(channel: MemberChannel): Sender<MemberDelivery> {
    const { batch, alerts, tests } = LIMITS[channel];
    return createSender({
      outbox,
      only: { channel },
      lanes: { alerts: createDestinationLimiter(alerts), tests: createDestinationLimiter(tests) },
      place: (rows) => placeDeliveries(db, rows, { channel, now: clock.now() }),
      endOf,
      batch,
      settleWithinMs: SETTLE_WITHIN_MS,
      enqueue: (rows) =>
        enqueueMemberBatches(
          queues,
          channel,
          rows.map((row) => fromIso(row.due_at)),
          clock.now(),
        ),
      pacer,
      // Push is due within seconds, mail within minutes.
      isFirst: channel === 'push',
      logger: logger.child({ channel }),
    });
  }
  const channels: Record<MemberChannel, Sender<MemberDelivery>> = {
    push: createChannel('push'),
    email: createChannel('email'),
  };
  const senders = Object.values(channels);

  function sendAll(): void {
    for (const sender of senders) void sender.sendDue();
  }

  async function listMembers(source: FanOutSource): Promise<void> {
    let listed = 0;
    for (let done = false; !done && !stopped;) {
      await handleClockStep?.();
      const step = await pacer.run(
        () => fanOutStep(db, { source, mailEnabled: context.mailer !== null, clock }),
        { first: true },
      );
      ({ done } = step);
      listed += step.added;
      if (step.added > 0) sendAll();
    }
    logger.info({ ...source, deliveries: listed }, 'listed the members of an alert');
    // Other daemons help to send.
    for (const channel of MEMBER_CHANNELS)
      if (listed > 0) enqueue(enqueueMemberBatches(queues, channel, [clock.now()], clock.now()));
  }

  /** Lists the members of one alert after the other. A bug in one, which comes again, keeps no other from its members. */
  async function listAll(): Promise<void> {
    for (const source of await listPendingFanOuts(db))
      await listMembers(source).catch((error: unknown) => {
        logger[levelOf(error)](
          { err: error, ...source },
          'could not list the members of an alert; the sweep retries',
        );
      });
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
        if (alertId !== null) enqueue(enqueueFanOut(queues, alertId));
      }, INSTANT_FIRST_MS);
      timers.add(timer);
    },
    fanOut,
    send: (channel) => channels[channel].sendDue(),
    async sweep() {
      const minute = Math.floor(clock.now() / MINUTE);
      if (minute !== releasesReadIn) {
        await announceReleases(db, clock.now());
        releasesReadIn = minute;
      }
      if (listing === null && (await listPendingFanOuts(db)).length > 0) void fanOut();
      sendAll();
    },
    async stop() {
      stopped = true;
      for (const timer of timers) clearTimeout(timer);
      await Promise.all([listing, ...senders.map((sender) => sender.stop())]);
    },
  };
}
