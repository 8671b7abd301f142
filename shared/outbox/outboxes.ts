import { MINUTE, SECOND } from '../clock';
import type { Database } from '../database/schema';
import { defineOutbox } from './define-outbox';

/**
 * Every outbox, by the queue of its jobs. The daemon's loop, its workers, the reclaiming of claims and the steps of the clock
 * go through this list. A claim lasts longer than an attempt, which renews it all the same.
 */
export const OUTBOXES = {
  /** Alerts and notices to the admins. A Discord webhook has 30 s to answer. */
  alerts: defineOutbox('alert_deliveries', {
    claimLifetimeMs: 40 * SECOND,
    backoff: { firstMs: SECOND, maxMs: 30 * SECOND },
    isEdited: true,
  }),
  /** Mails to people. */
  mail: defineOutbox('mails', {
    claimLifetimeMs: 2 * MINUTE,
    backoff: { firstMs: 2 * SECOND, maxMs: 2 * MINUTE },
  }),
  /** Alerts to members. A claimed row may wait for its attempt. */
  members: defineOutbox('member_deliveries', {
    claimLifetimeMs: 2 * MINUTE,
    backoff: { firstMs: SECOND, maxMs: 30 * SECOND },
  }),
  /** Roles on Discord. Two calls of ten seconds. Giving or taking a role twice changes nothing. */
  roles: defineOutbox('member_roles', {
    claimLifetimeMs: MINUTE,
    backoff: { firstMs: 2 * SECOND, maxMs: 5 * MINUTE },
    isRepeatable: true,
  }),
  /** Stripe's events, stored by the webhook and applied as the rows of every outbox are sent. An object is read within 45 s. */
  payments: defineOutbox('payment_events', {
    claimLifetimeMs: MINUTE,
    backoff: { firstMs: SECOND, maxMs: 10 * MINUTE },
    isRepeatable: true,
  }),
  /** Archives of members' data; an attempt makes one. */
  exports: defineOutbox('data_exports', {
    claimLifetimeMs: MINUTE,
    backoff: { firstMs: 5 * SECOND, maxMs: 10 * MINUTE },
    isRepeatable: true,
  }),
} as const;

/** The queues that send the rows of an outbox. */
export type OutboxQueue = keyof typeof OUTBOXES;

/** How many rows of each outbox are due and not being sent. */
export async function countDue(db: Database, now: number): Promise<Record<OutboxQueue, number>> {
  const counts: [string, number][] = [];
  for (const [queue, outbox] of Object.entries(OUTBOXES))
    counts.push([queue, await outbox.countDue(db, now)]);
  return Object.fromEntries(counts) as Record<OutboxQueue, number>;
}
