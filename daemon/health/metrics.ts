import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Delivery } from '#shared/alerts/deliveries/deliveries';
import type { EventBacklog } from '#shared/billing/event-backlog';
import type { PaymentEvent } from '#shared/billing/payment-events';
import { fromIso, SECOND, type Clock } from '#shared/clock';
import type { QueuedMail } from '#shared/mail/mails';
import { announcedAt, type MemberChannel, type MemberDelivery } from '#shared/member-alerts/member-outbox';
import type { MemberRole } from '#shared/role-sync/send-roles.server';
import type { Outcome } from '#shared/outbox/outcome';
import type { RecordedCheck } from '#shared/monitor/checks/recording/record-check';
import type { Judgement } from '#shared/monitor/checks/verdict';
import { pauseEndOf, type HostLoad } from '#shared/monitor/product-schedule';

export interface Metrics {
  registry: Registry;
  checked(recorded: RecordedCheck, judgement: Judgement): void;
  delivered(row: Delivery, outcome: Outcome): void;
  mailed(row: QueuedMail, outcome: Outcome): void;
  setRole(row: MemberRole, outcome: { kind: string }): void;
  sentToMember(row: MemberDelivery, outcome: Outcome): void;
  /** An attempt to apply an event of Stripe; `outcome.kind` says how it ended. */
  appliedEvent(event: PaymentEvent, outcome: { kind: string }): void;
}

interface MetricsContext {
  clock: Clock;
  /** Whether Redis takes writes now. */
  isRedisUp: () => Promise<boolean>;
  /** The size of the database's write-ahead log. */
  readWalBytes: () => Promise<number>;
  readEventBacklog: () => Promise<EventBacklog>;
  /** What is wrong with payments now. */
  listPaymentFaults: () => Promise<{ fault: string }[]>;
  /** What the hosts of the running product watches bear, by host. */
  readHostLoads: () => Promise<ReadonlyMap<string, HostLoad>>;
  /** Unfinished deliveries to members by channel. */
  countMembersWaiting: () => Promise<{ channel: MemberChannel; count: number }[]>;
}

/** Prometheus metrics of one daemon; names and units follow prometheus.io/docs/practices/naming. */
export function createMetrics({
  clock,
  isRedisUp,
  readWalBytes,
  readEventBacklog,
  listPaymentFaults,
  countMembersWaiting,
  readHostLoads,
}: MetricsContext): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // A version helps an attacker to choose an exploit.
  registry.removeSingleMetric('nodejs_version_info');
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
  const deliveries = counter('packwatch_deliveries_total', 'Attempts to deliver, by how they ended.', [
    'audience',
    'channel',
    'outcome',
  ]);
  const lateness = new Histogram({
    name: 'packwatch_delivery_lateness_seconds',
    help: 'From the moment a message was due to its acceptance.',
    labelNames: ['audience'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 600],
    registers: [registry],
  });
  const mails = counter('packwatch_mails_total', 'Attempts to send a mail, by how they ended.', [
    'template',
    'outcome',
  ]);
  const memberDeliveries = counter(
    'packwatch_member_deliveries_total',
    'Attempts to send an alert to a member, by how they ended.',
    ['channel', 'outcome'],
  );
  const memberLateness = new Histogram({
    name: 'packwatch_member_delivery_lateness_seconds',
    help: 'From the check that opened an alert to the acceptance of a message to a member.',
    labelNames: ['channel'],
    buckets: [0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600],
    registers: [registry],
  });
  const paymentEvents = counter(
    'packwatch_payment_events_total',
    'Attempts to apply an event of Stripe, by how they ended.',
    ['type', 'outcome'],
  );
  const roles = counter(
    'packwatch_discord_roles_total',
    'Attempts to give or take a role on Discord, by how they ended.',
    ['audience', 'outcome'],
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
      gauge.set(oldestSince === null ? 0 : Math.max(0, clock.now() - oldestSince) / SECOND);
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
      for (const channel of ['email', 'push']) gauge.set({ channel }, 0);
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
    appliedEvent(event, outcome) {
      paymentEvents.inc({ type: event.type, outcome: outcome.kind });
    },
    setRole(row, outcome) {
      roles.inc({ audience: row.audience, outcome: outcome.kind });
    },
    mailed(row, outcome) {
      mails.inc({ template: row.template, outcome: outcome.kind });
    },
    sentToMember(row, outcome) {
      memberDeliveries.inc({ channel: row.channel, outcome: outcome.kind });
      if (outcome.kind === 'ok')
        memberLateness.observe(
          { channel: row.channel },
          Math.max(0, clock.now() - announcedAt(row)) / SECOND,
        );
    },
    delivered(row, outcome) {
      deliveries.inc({ audience: row.audience, channel: row.channel, outcome: outcome.kind });
      if (outcome.kind === 'ok')
        lateness.observe({ audience: row.audience }, Math.max(0, clock.now() - fromIso(row.due_at)) / SECOND);
    },
  };
}
