import type { Kysely, Selectable, Transaction } from 'kysely';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { z } from 'zod';
import { DAY, toIso } from '../clock';
import type { Database } from '../database/connection.server';
import type { Schema } from '../database/schema';
import type { MemberDeliveriesTable } from '../database/tables/members/member-deliveries';
import type { MemberDeliverySumsTable } from '../database/tables/members/member-delivery-sums';
import { inTransaction } from '../database/transaction';
import { MEMBER_CHANNELS, type MemberChannel } from '../member-channels';

/** How long an alert's recipients are listed after it closed; then only the sums stay. Far longer than it may reopen. */
export const MEMBER_ALERT_RETENTION_MS = 3 * DAY;
/** An alert that never closes is treated as closed after this time. */
const OPEN_ALERT_RETENTION_MS = 90 * DAY;
/** Rows per transaction: few, so that other writers do not wait long. */
const ROWS_PER_STEP = 200;
/** Reasons kept per alert and channel. */
const MAX_REASONS = 10;

export type DeliverySum = Omit<MemberDeliverySumsTable, 'alert_id' | 'channel' | 'reasons'>;
type Row = Pick<
  Selectable<MemberDeliveriesTable>,
  'id' | 'channel' | 'target' | 'status' | 'sent_at' | 'last_error' | 'handled_at'
>;

const reasonsCodec = z.record(z.string(), z.number());

/** The reasons of failed deliveries, with how often each occurred. */
export function readReasons(stored: string): Map<string, number> {
  return new Map(Object.entries(reasonsCodec.parse(JSON.parse(stored))));
}

function stateOf({ status, handled_at }: Row): keyof DeliverySum {
  if (handled_at !== null) return 'handled';
  return status === 'dead' ? 'failed' : (status as 'sent' | 'cancelled' | 'expired');
}

async function addToSum(
  trx: Transaction<Schema>,
  { alertId, channel, rows }: { alertId: string; channel: MemberChannel; rows: readonly Row[] },
): Promise<void> {
  const stored = await trx
    .selectFrom('member_delivery_sums')
    .selectAll()
    .where('alert_id', '=', alertId)
    .where('channel', '=', channel)
    .executeTakeFirst();
  const sum = stored ?? { sent: 0, cancelled: 0, failed: 0, expired: 0, handled: 0, reasons: '{}' };
  const reasons = readReasons(sum.reasons);
  const counts: DeliverySum = {
    sent: sum.sent,
    cancelled: sum.cancelled,
    failed: sum.failed,
    expired: sum.expired,
    handled: sum.handled,
  };
  for (const row of rows) {
    counts[stateOf(row)] += 1;
    if (stateOf(row) === 'failed' && row.last_error !== null)
      reasons.set(row.last_error, (reasons.get(row.last_error) ?? 0) + 1);
  }
  const kept = [...reasons].sort(([, a], [, b]) => b - a).slice(0, MAX_REASONS);
  const values = { ...counts, reasons: JSON.stringify(Object.fromEntries(kept)) };
  await trx
    .insertInto('member_delivery_sums')
    .values({ alert_id: alertId, channel, ...values })
    .onConflict((conflict) => conflict.columns(['alert_id', 'channel']).doUpdateSet(values))
    .execute();
}

/** Writes when each of these browsers was last notified: the account page shows it. */
async function keepLastSent(trx: Transaction<Schema>, rows: readonly Row[]): Promise<void> {
  for (const { channel, target, sent_at: sentAt } of rows)
    if (channel === 'push' && sentAt !== null)
      await trx
        .updateTable('push_subscriptions')
        .set({ last_sent_at: sentAt })
        .where('id', '=', target)
        .where((where) => where.or([where('last_sent_at', 'is', null), where('last_sent_at', '<', sentAt)]))
        .execute();
}

/** Moves at most `ROWS_PER_STEP` finished rows of an alert into its sums, in one transaction. Returns how many. */
function sumStep(db: Database, alertId: string): Promise<number> {
  return inTransaction(db, async (trx) => {
    const rows = await trx
      .selectFrom('member_deliveries')
      .select(['id', 'channel', 'target', 'status', 'sent_at', 'last_error', 'handled_at'])
      .where('alert_id', '=', alertId)
      .where('status', 'not in', ['pending', 'sending'])
      .limit(ROWS_PER_STEP)
      .execute();
    if (rows.length === 0) return 0;
    for (const channel of MEMBER_CHANNELS) {
      const own = rows.filter((row) => row.channel === channel);
      if (own.length > 0) await addToSum(trx, { alertId, channel, rows: own });
    }
    await keepLastSent(trx, rows);
    await trx
      .deleteFrom('member_deliveries')
      .where(
        'id',
        'in',
        rows.map(({ id }) => id),
      )
      .execute();
    return rows.length;
  });
}

/** The alerts that ended so long ago that only the sums of their deliveries are kept, and that still have rows. */
function listAlertsToSum(db: Kysely<Schema>, now: number) {
  return db
    .selectFrom('alerts')
    .select('id')
    .where((where) =>
      where.or([
        where.and([
          where('status', '=', 'closed'),
          where('closed_at', '<', toIso(now - MEMBER_ALERT_RETENTION_MS)),
        ]),
        where('opened_at', '<', toIso(now - OPEN_ALERT_RETENTION_MS)),
      ]),
    )
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('member_deliveries')
          .select('member_deliveries.id')
          .whereRef('member_deliveries.alert_id', '=', 'alerts.id')
          .where('member_deliveries.status', 'not in', ['pending', 'sending']),
      ),
    )
    .orderBy('opened_at')
    .execute();
}

/**
 * Replaces the deliveries of alerts that closed some days ago by sums per alert and channel, in small transactions. Safe to
 * run concurrently: each row is counted in the transaction that deletes it. Returns how many rows. `now`: epoch ms.
 */
export async function sumOldDeliveries(db: Database, now: number): Promise<number> {
  let summed = 0;
  for (const { id } of await listAlertsToSum(db, now))
    for (let step = await sumStep(db, id); step > 0; step = await sumStep(db, id)) {
      summed += step;
      await yieldToEventLoop();
    }
  return summed;
}
