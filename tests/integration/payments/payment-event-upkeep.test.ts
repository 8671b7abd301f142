import { afterEach, beforeEach, expect, it } from 'vitest';
import { readEventBacklog } from '#shared/billing/event-backlog';
import { EVENT_RETENTION_MS, purgeEvents } from '#shared/billing/purge-events';
import { DAY, MINUTE, SECOND, toIso } from '#shared/clock';
import { listFaults } from '#shared/payments/payment-faults';
import { newId } from '#shared/ids';
import { countDue } from '#shared/outbox/outboxes';
import type { PaymentEvent } from '#shared/billing/payment-events';
import { createMetrics } from '../../../daemon/health/metrics';
import { createTestDatabase, type TestDatabase } from '../database';

const NOW = Date.parse('2026-11-22T12:00:00.000Z');
let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.cleanup());

/** Adds an event of this age; returns Stripe's id. */
async function addEvent(status: PaymentEvent['status'], ageMs: number): Promise<PaymentEvent> {
  const stamp = toIso(NOW - ageMs);
  return database.db
    .insertInto('payment_events')
    .values({
      id: newId(),
      stripe_event_id: `${status}-${ageMs}`,
      type: 'invoice.paid',
      object_type: 'invoice',
      object_id: 'in_1',
      stripe_created_at: stamp,
      status,
      due_at: stamp,
      expires_at: stamp,
      claimed_by: status === 'sending' ? 'a daemon' : null,
      claimed_until: status === 'sending' ? stamp : null,
      created_at: stamp,
      updated_at: stamp,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

it('applied and ignored events are deleted after 90 days; others are kept', async () => {
  const old = EVENT_RETENTION_MS + SECOND;
  for (const status of ['sent', 'cancelled', 'dead', 'expired', 'pending', 'sending'] as const) {
    await addEvent(status, old);
    await addEvent(status, EVENT_RETENTION_MS - SECOND);
  }
  expect(EVENT_RETENTION_MS).toBe(90 * DAY);
  expect(await purgeEvents(database.db, NOW)).toBe(2);
  expect(await purgeEvents(database.db, NOW)).toBe(0);
  const kept = await database.db
    .selectFrom('payment_events')
    .select('stripe_event_id')
    .where('stripe_event_id', 'like', `%-${old}`)
    .orderBy('stripe_event_id')
    .execute();
  expect(kept.map((row) => row.stripe_event_id)).toEqual([
    `dead-${old}`,
    `expired-${old}`,
    `pending-${old}`,
    `sending-${old}`,
  ]);
});

it('the metrics say how old the oldest unapplied event is, how events ended, and how many failed', async () => {
  const { db } = database;
  const metrics = createMetrics({
    clock: { now: () => NOW },
    isRedisUp: () => Promise.resolve(true),
    readWalBytes: () => Promise.resolve(0),
    countDue: () => countDue(db, NOW),
    readEventBacklog: () => readEventBacklog(db),
    listPaymentFaults: () => listFaults(db),
    countMembersWaiting: () => Promise.resolve([]),
    readHostLoads: () => Promise.resolve(new Map()),
  });
  const AGE = 'packwatch_payment_events_oldest_unapplied_seconds';
  const FAILED = 'packwatch_payment_events_failed';
  expect(await metrics.registry.metrics()).toContain(`\n${AGE} 0\n`);
  const applied = await addEvent('sent', DAY);
  await addEvent('pending', MINUTE);
  await addEvent('sending', 2 * MINUTE);
  await addEvent('dead', DAY);
  metrics.attempted.payments(applied, { kind: 'ok' });
  metrics.attempted.payments(applied, { kind: 'retry', reason: 'no answer' });
  metrics.attempted.payments(applied, { kind: 'ok' });
  const text = await metrics.registry.metrics();
  expect(text).toContain(`\n${AGE} 120\n`);
  expect(text).toContain(`\n${FAILED} 1\n`);
  expect(text).toContain('packwatch_outbox_due{queue="payments"} 2\n');
  expect(text).toContain('packwatch_outbox_due{queue="alerts"} 0\n');
  expect(text).toContain('packwatch_payment_events_total{type="invoice.paid",outcome="ok"} 2\n');
  expect(text).toContain('packwatch_payment_events_total{type="invoice.paid",outcome="retry"} 1\n');

  await db.destroy();
  const without = await metrics.registry.metrics();
  expect(without).not.toMatch(new RegExp(`^(${AGE}|${FAILED}) `, 'm'));
  expect(without).toContain('\npackwatch_redis_up 1\n');
});
