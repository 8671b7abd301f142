import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { EventBacklog } from '#shared/billing/event-backlog';
import { fromIso, SECOND, type Clock } from '#shared/clock';
import { announcedAt } from '#shared/member-alerts/member-outbox';
import type { OutboxRow } from '#shared/outbox/define-outbox';
import type { Outcome } from '#shared/outbox/outcome';
import type { RowOf } from '#shared/outbox/outbox-sender';
import type { OUTBOXES, OutboxQueue } from '#shared/outbox/outboxes';
import type { RecordedCheck } from '#shared/monitor/checks/recording/record-check';
import type { Judgement } from '#shared/monitor/checks/verdict';
import { pauseEndOf, type HostLoad } from '#shared/monitor/product-schedule';
import { MEMBER_CHANNELS, type MemberChannel } from '#shared/member-channels';

export interface Metrics {
  registry: Registry;
  checked(recorded: RecordedCheck, judgement: Judgement): void;
  /** An attempt to send a row of an outbox has ended. */
  attempted: { [Queue in OutboxQueue]: (row: RowOfQueue<Queue>, outcome: Outcome) => void };
}

type RowOfQueue<Queue extends OutboxQueue> = RowOf<(typeof OUTBOXES)[Queue]['table']>;

/** The counter of the attempts of each outbox. */
const ATTEMPTS = {
  alerts: {
    name: 'packwatch_deliveries_total',
    help: 'Attempts to deliver, by how they ended.',
    labels: ['audience', 'channel'],
  },
  mail: {
    name: 'packwatch_mails_total',
    help: 'Attempts to send a mail, by how they ended.',
    labels: ['template'],
  },
  members: {
    name: 'packwatch_member_deliveries_total',
    help: 'Attempts to send an alert to a member, by how they ended.',
    labels: ['channel'],
  },
  payments: {
    name: 'packwatch_payment_events_total',
    help: 'Attempts to apply an event of Stripe, by how they ended.',
    labels: ['type'],
  },
  roles: {
    name: 'packwatch_discord_roles_total',
    help: 'Attempts to give or take a role on Discord, by how they ended.',
    labels: ['audience'],
  },
  exports: {
    name: 'packwatch_data_exports_total',
    help: 'Attempts to make an archive of personal data, by how they ended.',
    labels: [],
  },
} satisfies {
  [Queue in OutboxQueue]: {
    name: string;
    help: string;
    /** Columns of the row. */
    labels: (keyof RowOfQueue<Queue>)[];
  };
};

interface MetricsContext {
  clock: Clock;
  /** Whether Redis takes writes now. */
  isRedisUp: () => Promise<boolean>;
  /** The size of the database's write-ahead log. */
  readWalBytes: () => Promise<number>;
  /** Due rows of each outbox that are not being sent. */
  countDue: () => Promise<Record<OutboxQueue, number>>;
  readEventBacklog: () => Promise<EventBacklog>;
  /** The current payment faults. */
  listPaymentFaults: () => Promise<{ fault: string }[]>;
  /** The load of the hosts of running product watches. */
  readHostLoads: () => Promise<ReadonlyMap<string, HostLoad>>;
  /** Unfinished deliveries to members by channel. */
  countMembersWaiting: () => Promise<{ channel: MemberChannel; count: number }[]>;
}

/** Prometheus metrics of one daemon; names and units follow prometheus.io/docs/practices/naming. */
export function createMetrics({
  clock,
  isRedisUp,
  readWalBytes,
  countDue,
  readEventBacklog,
  listPaymentFaults,
  countMembersWaiting,
  readHostLoads,
}: MetricsContext): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // A version helps an attacker to choose an exploit.
  registry.removeSingleMetric('nodejs_version_info');
  const secondsSince = (time: number): number => Math.max(0, clock.now() - time) / SECOND;
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers: [registry] });
  /** A gauge whose values `collect` reads. Without the database they are missing, and the other metrics are still served. */
  function addGauge(
    name: string,
    help: string,
    labelNames: string[],
    collect: (gauge: Gauge) => Promise<void>,
  ) {
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        await collect(this).catch(() => (labelNames.length > 0 ? this.reset() : this.remove()));
      },
    });
  }
  const checks = counter('packwatch_checks_total', 'Checks of the shop by verdict.', ['verdict']);
  const transitions = counter('packwatch_alert_transitions_total', 'What checks did to alerts.', ['action']);
  const lastCheck = new Gauge({
    name: 'packwatch_last_check_timestamp_seconds',
    help: 'When the last check of this daemon ended.',
    registers: [registry],
  });
  const lateness = new Histogram({
    name: 'packwatch_delivery_lateness_seconds',
    help: 'From the moment a message was due to its acceptance.',
    labelNames: ['audience'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 600],
    registers: [registry],
  });
  const memberLateness = new Histogram({
    name: 'packwatch_member_delivery_lateness_seconds',
    help: 'From the check that opened an alert to the acceptance of a message to a member.',
    labelNames: ['channel'],
    buckets: [0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600],
    registers: [registry],
  });
  /** `onSent`: measures what was sent. */
  function attemptsOf<Row extends OutboxRow>(queue: OutboxQueue, onSent?: (row: Row) => void) {
    const { name, help, labels }: { name: string; help: string; labels: string[] } = ATTEMPTS[queue];
    const attempts = counter(name, help, [...labels, 'outcome']);
    return (row: Row, outcome: Outcome): void => {
      const columns = Object.entries(row).filter(([column]) => labels.includes(column));
      attempts.inc({ ...Object.fromEntries(columns), outcome: outcome.kind });
      if (outcome.kind === 'ok') onSent?.(row);
    };
  }
  addGauge(
    'packwatch_outbox_due',
    'Rows of an outbox that are due and not being sent: they wait for a free slot, or for a receiver that is away.',
    ['queue'],
    async (gauge) => {
      for (const [queue, count] of Object.entries(await countDue())) gauge.set({ queue }, count);
    },
  );
  addGauge('packwatch_redis_up', '1 while Redis answers and takes writes.', [], async (gauge) =>
    gauge.set((await isRedisUp()) ? 1 : 0),
  );
  addGauge(
    'packwatch_database_wal_bytes',
    "Size of the database's write-ahead log; beyond 128 MB a program keeps it from shrinking.",
    [],
    async (gauge) => gauge.set(await readWalBytes()),
  );
  addGauge(
    'packwatch_payment_events_oldest_unapplied_seconds',
    'Age of the oldest event of Stripe that is not applied yet; 0 when none waits.',
    [],
    async (gauge) => {
      const { oldestSince } = await readEventBacklog();
      gauge.set(oldestSince === null ? 0 : secondsSince(oldestSince));
    },
  );
  addGauge(
    'packwatch_payment_events_failed',
    'Events of Stripe that were given up and not retried.',
    [],
    async (gauge) => gauge.set((await readEventBacklog()).failed),
  );
  addGauge(
    'packwatch_payment_faults',
    '1 for each fault of payments that lasts, such as a key of another account or a list that cannot be read.',
    ['fault'],
    async (gauge) => {
      const faults = await listPaymentFaults();
      gauge.reset();
      for (const { fault } of faults) gauge.set({ fault }, 1);
    },
  );
  addGauge(
    'packwatch_product_watches',
    'Running watches of products by whether their host is paused, after it refused a check or asked for it.',
    ['host_paused'],
    async (gauge) => {
      const now = clock.now();
      const counts = { true: 0, false: 0 };
      for (const load of (await readHostLoads()).values())
        counts[pauseEndOf(load, now) > now ? 'true' : 'false'] += load.products;
      for (const [host_paused, count] of Object.entries(counts)) gauge.set({ host_paused }, count);
    },
  );
  addGauge(
    'packwatch_product_interval_stretch',
    'How many times longer than set the intervals of products are at the busiest host, because it is asked 30 times a minute at most.',
    [],
    async (gauge) =>
      gauge.set(Math.max(1, ...[...(await readHostLoads()).values()].map(({ pace }) => pace.stretch))),
  );
  addGauge(
    'packwatch_member_deliveries_waiting',
    'Alerts to members that are not sent yet.',
    ['channel'],
    async (gauge) => {
      const waiting = await countMembersWaiting();
      for (const channel of MEMBER_CHANNELS) gauge.set({ channel }, 0);
      for (const { channel, count } of waiting) gauge.set({ channel }, Number(count));
    },
  );
  return {
    registry,
    checked(recorded, judgement) {
      checks.inc({ verdict: judgement.verdict });
      transitions.inc({ action: recorded.decision.action });
      lastCheck.set(clock.now() / SECOND);
    },
    attempted: {
      alerts: attemptsOf('alerts', ({ audience, due_at }) =>
        lateness.observe({ audience }, secondsSince(fromIso(due_at))),
      ),
      members: attemptsOf('members', (row) =>
        memberLateness.observe({ channel: row.channel }, secondsSince(announcedAt(row))),
      ),
      mail: attemptsOf('mail'),
      payments: attemptsOf('payments'),
      roles: attemptsOf('roles'),
      exports: attemptsOf('exports'),
    },
  };
}
