import type { Transaction, Updateable } from 'kysely';
import { fromIso, toIso, type Clock } from '../../clock';
import type { Database } from '../../database/connection.server';
import type { Schema } from '../../database/schema';
import type { AlertDeliveriesTable } from '../../database/tables/monitor/alert-deliveries';
import { inTransaction } from '../../database/transaction';
import type { AdminContacts } from '../admin-notices';
import type { DiscordAnswer } from '../../channels/discord/discord-answer';
import { deliveryOutbox, type Delivery } from './deliveries';
import { ALERT_LIFETIME_MS, backoffMs, FREE_DELAY_MS, rateLimitWaitMs } from '../alert-timing';
import { notifyOfFailure, notifyOfRetry } from './delivery-notices';

/**
 * How one attempt ended. `revision`: the alert's revision that the message shows; `sealedWebhook`: the Discord
 * webhook that was used, as stored.
 */
export type Outcome =
  | {
      is: 'ok';
      status: number;
      messageId: string | null;
      ms: number;
      revision: number;
      sealedWebhook?: string;
    }
  | Exclude<DiscordAnswer, { is: 'ok' }>
  | { is: 'rejected'; status: number | null; reason: string; gone: 'webhook' | 'message' | null }
  | { is: 'expired' }
  | { is: 'cancelled' };

interface RecorderContext {
  db: Database;
  clock: Clock;
  adminContacts: AdminContacts;
}

type Change = Updateable<AlertDeliveriesTable>;

async function afterSuccess(
  trx: Transaction<Schema>,
  row: Delivery,
  outcome: Extract<Outcome, { is: 'ok' }>,
  endedAt: number,
  now: number,
): Promise<Change> {
  const messageId = row.message_id ?? outcome.messageId;
  let status: 'sent' | 'outdated' = 'sent';
  if (row.alert_id !== null) {
    const alert = await trx
      .selectFrom('alerts')
      .select(['revision', 'opening_check_id'])
      .where('id', '=', row.alert_id)
      .executeTakeFirstOrThrow();
    // The alert may have changed while the message was being sent.
    if (alert.revision > outcome.revision && messageId !== null) status = 'outdated';
    await trx
      .updateTable('monitor_checks')
      .set({ alert_sent: 1 })
      .where('id', '=', alert.opening_check_id)
      .where('alert_sent', '=', 0)
      .execute();
  }
  return {
    status,
    due_at: status === 'outdated' ? toIso(now) : row.due_at,
    message_id: messageId,
    sealed_webhook: messageId === null ? null : (outcome.sealedWebhook ?? row.sealed_webhook),
    sent_revision: outcome.revision,
    sent_at: row.sent_at ?? toIso(endedAt),
    ...(row.sent_at === null ? { posted_at_attempt: row.attempts } : { edits: row.edits + 1 }),
    response_ms: outcome.ms,
    last_status: outcome.status,
    last_error: null,
  };
}

/**
 * A row that was being sent when its waiting room closed waits again if the room has reopened since: the reopening resumed
 * only rows that were cancelled already. The free audience is notified at least thirty seconds later, as after any
 * reopening.
 */
async function afterCancel(trx: Transaction<Schema>, row: Delivery, now: number): Promise<Change> {
  const reopened = await trx
    .selectFrom('alerts')
    .select('id')
    .where('id', '=', row.alert_id)
    .where('status', '=', 'open')
    .executeTakeFirst();
  if (reopened === undefined) return { status: 'cancelled' };
  return {
    status: 'pending',
    due_at: toIso(now + FREE_DELAY_MS),
    expires_at: toIso(now + ALERT_LIFETIME_MS),
  };
}

async function scheduleRetry(
  trx: Transaction<Schema>,
  row: Delivery,
  waitMs: number,
  change: Change,
  now: number,
): Promise<Change> {
  const dueAt = now + waitMs;
  // Read again: a step of the wall clock may have moved it since the claim.
  const { expires_at } = await trx
    .selectFrom('alert_deliveries')
    .select('expires_at')
    .where('id', '=', row.id)
    .executeTakeFirstOrThrow();
  if (dueAt >= fromIso(expires_at)) return { ...change, status: row.sent_at === null ? 'expired' : 'sent' };
  return { ...change, status: row.sent_at === null ? 'pending' : 'outdated', due_at: toIso(dueAt) };
}

async function decide(
  trx: Transaction<Schema>,
  row: Delivery,
  outcome: Outcome,
  adminContacts: AdminContacts,
  endedAt: number,
  now: number,
): Promise<{ change: Change; others: Delivery[] }> {
  switch (outcome.is) {
    case 'ok':
      return { change: await afterSuccess(trx, row, outcome, endedAt, now), others: [] };
    case 'cancelled':
      return { change: await afterCancel(trx, row, now), others: [] };
    case 'expired':
      return {
        change: { status: 'expired' },
        others: await notifyOfFailure(
          trx,
          row,
          row.last_error ?? 'it was too late to be news',
          adminContacts,
          now,
        ),
      };
    case 'rate_limited': {
      if (outcome.global) await holdAllWebhooks(trx, now + outcome.waitMs);
      const fault = { last_status: outcome.status, last_error: outcome.reason };
      const change = await scheduleRetry(trx, row, rateLimitWaitMs(outcome.waitMs), fault, now);
      return { change, others: await notifyOfRetry(trx, row, { change, outcome, adminContacts, now }) };
    }
    case 'retry': {
      const uncertain = row.uncertain === 1 || outcome.uncertain ? 1 : 0;
      const fault = { last_status: outcome.status, last_error: outcome.reason, uncertain } as const;
      const change = await scheduleRetry(trx, row, backoffMs(row.attempts), fault, now);
      return { change, others: await notifyOfRetry(trx, row, { change, outcome, adminContacts, now }) };
    }
    case 'rejected': {
      if (outcome.gone === 'webhook') {
        await trx
          .updateTable('webhooks')
          .set({ state: 'rejected', last_fault: outcome.reason, last_fault_at: toIso(now) })
          .where('watch_id', '=', row.destination)
          .where('audience', '=', row.audience)
          .execute();
      }
      const failed = { last_status: outcome.status, last_error: outcome.reason };
      // The message was deleted in Discord, so there is nothing to edit.
      if (outcome.gone === 'message')
        return { change: { ...failed, status: 'sent', message_id: null }, others: [] };
      return {
        change: { ...failed, status: 'dead' },
        others: await notifyOfFailure(trx, row, outcome.reason, adminContacts, now),
      };
    }
  }
}

/**
 * Delays every Discord delivery: a global rate limit applies to all webhooks of this machine (Discord docs, "Rate
 * limits", Global Rate Limit).
 */
async function holdAllWebhooks(trx: Transaction<Schema>, until: number): Promise<void> {
  await trx
    .updateTable('alert_deliveries')
    .set({ due_at: toIso(until) })
    .where('channel', '=', 'discord')
    .where('status', 'in', ['pending', 'outdated'])
    .where('due_at', '<', toIso(until))
    .execute();
}

/** Rolls back the outcome of a row that another sender has claimed. */
class ClaimLostError extends Error {}

/**
 * Records the outcome of an attempt in one transaction; drops it when the claim was lost. `endedAt` (epoch ms): when
 * the attempt ended, which may be long before the database can be written. Returns the deliveries to send next: this
 * one again, or notices to the admins.
 */
export async function recordOutcome(
  { db, clock, adminContacts }: RecorderContext,
  row: Delivery,
  outcome: Outcome,
  endedAt: number,
): Promise<Delivery[]> {
  try {
    return await inTransaction(db, async (trx) => {
      const now = clock.now();
      const { change, others } = await decide(trx, row, outcome, adminContacts, endedAt, now);
      const after = await deliveryOutbox.settle(trx, row, change, now);
      if (after === null) throw new ClaimLostError();
      return [after, ...others].filter(({ status }) => status === 'pending' || status === 'outdated');
    });
  } catch (error) {
    if (error instanceof ClaimLostError) return [];
    throw error;
  }
}
