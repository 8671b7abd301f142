import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Outcome } from '#shared/alerts/record-outcome';
import type { Delivery } from '#shared/alerts/deliveries';
import { fromIso, SECOND, type Clock } from '#shared/clock';
import type { QueuedMail } from '#shared/mail/mails';
import type { MailOutcome } from '#shared/mail/send-mail.server';
import type { RecordedCheck } from '#shared/monitor/checks/record-check';
import type { Judgement } from '#shared/monitor/checks/verdict';

export interface Metrics {
  registry: Registry;
  checked(recorded: RecordedCheck, judgement: Judgement): void;
  delivered(row: Delivery, outcome: Outcome): void;
  mailed(row: QueuedMail, outcome: MailOutcome): void;
}

/** Prometheus metrics of one daemon; names and units follow prometheus.io/docs/practices/naming. */
export function createMetrics({ clock, isRedisUp }: { clock: Clock; isRedisUp: () => boolean }): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // A version helps an attacker to choose an exploit.
  registry.removeSingleMetric('nodejs_version_info');
  const checks = new Counter({
    name: 'packwatch_checks_total',
    help: 'Checks of the shop by verdict.',
    labelNames: ['verdict'],
    registers: [registry],
  });
  const transitions = new Counter({
    name: 'packwatch_alert_transitions_total',
    help: 'What checks did to alerts.',
    labelNames: ['action'],
    registers: [registry],
  });
  const lastCheck = new Gauge({
    name: 'packwatch_last_check_timestamp_seconds',
    help: 'When the last check of this daemon ended.',
    registers: [registry],
  });
  const deliveries = new Counter({
    name: 'packwatch_deliveries_total',
    help: 'Attempts to deliver, by how they ended.',
    labelNames: ['audience', 'channel', 'outcome'],
    registers: [registry],
  });
  const lateness = new Histogram({
    name: 'packwatch_delivery_lateness_seconds',
    help: 'From the moment a message was due to its acceptance.',
    labelNames: ['audience'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 600],
    registers: [registry],
  });
  const mails = new Counter({
    name: 'packwatch_mails_total',
    help: 'Attempts to send a mail, by how they ended.',
    labelNames: ['template', 'outcome'],
    registers: [registry],
  });
  new Gauge({
    name: 'packwatch_redis_up',
    help: '1 while Redis answers.',
    registers: [registry],
    collect() {
      this.set(isRedisUp() ? 1 : 0);
    },
  });
  return {
    registry,
    checked(recorded, judgement) {
      checks.inc({ verdict: judgement.verdict });
      transitions.inc({ action: recorded.decision.action });
      lastCheck.set(clock.now() / SECOND);
    },
    mailed(row, outcome) {
      mails.inc({ template: row.template, outcome: outcome.is });
    },
    delivered(row, outcome) {
      deliveries.inc({ audience: row.audience, channel: row.channel, outcome: outcome.is });
      if (outcome.is === 'ok')
        lateness.observe({ audience: row.audience }, Math.max(0, clock.now() - fromIso(row.due_at)) / SECOND);
    },
  };
}
