import { sql, type Kysely } from 'kysely';
import { writeAudit, type Actor } from '../audit/write-audit';
import { ALERT_LIFETIME_MS } from '../alerts/alert-timing';
import { toIso, type Clock } from '../clock';
import type { Schema } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import { memberOutbox } from './member-outbox';
import { readReasons } from './sum-deliveries';
import { MEMBER_CHANNELS, type MemberChannel } from '../member-channels';

/** How far an alert has reached the members over one channel. */
export interface MemberResult {
  channel: MemberChannel;
  /** Rows by state, with the words of the monitor screen. */
  waiting: number;
  sending: number;
  tryingAgain: number;
  sent: number;
  cancelled: number;
  failed: number;
  expired: number;
  handled: number;
  /** The most frequent reasons of failed and waiting-again rows, most frequent first, at most five. */
  reasons: { reason: string; count: number }[];
}

const MAX_REASONS = 5;
/** Failed rows are sent again in transactions of this many. */
const ROWS_PER_STEP = 1_000;

type Counts = Omit<MemberResult, 'channel' | 'reasons'>;

/** Counts of rows by channel, status and whether they are handled: reads the index alone. */
function countByStatus(db: Kysely<Schema>, alertId: string) {
  return db
    .selectFrom('member_deliveries')
    .select((select) => [
      'channel',
      'status',
      sql<0 | 1>`handled_at is not null`.as('handled'),
      select.fn.countAll<number>().as('count'),
    ])
    .where('alert_id', '=', alertId)
    .groupBy(['channel', 'status', sql`handled_at is not null`])
    .execute();
}

/** The reasons of rows that failed or wait to be sent again. */
function countReasons(db: Kysely<Schema>, alertId: string) {
  return db
    .selectFrom('member_deliveries')
    .select((select) => ['channel', 'status', 'last_error', select.fn.countAll<number>().as('count')])
    .where('alert_id', '=', alertId)
    .where('status', 'in', ['pending', 'dead'])
    .where('last_error', 'is not', null)
    .where('handled_at', 'is', null)
    .groupBy(['channel', 'status', 'last_error'])
    .orderBy('count', 'desc')
    .execute();
}

type StatusCount = Awaited<ReturnType<typeof countByStatus>>[number];

function stateOf({ status, handled }: Pick<StatusCount, 'status' | 'handled'>): keyof Counts {
  if (handled === 1) return 'handled';
  if (status === 'pending') return 'waiting';
  return status === 'dead' ? 'failed' : status;
}

/** Both channels of an alert, without those that have no rows. `complete`: lists every member. Throws for an unknown alert. */
export async function readMemberResults(
  db: Kysely<Schema>,
  { alertId }: { alertId: string },
): Promise<{ complete: boolean; results: MemberResult[] }> {
  const { fan_out_status } = await db
    .selectFrom('alerts')
    .select('fan_out_status')
    .where('id', '=', alertId)
    .executeTakeFirstOrThrow();
  const counts = await countByStatus(db, alertId);
  const reasons = counts.length === 0 ? [] : await countReasons(db, alertId);
  const sums = await db
    .selectFrom('member_delivery_sums')
    .selectAll()
    .where('alert_id', '=', alertId)
    .execute();
  const results = MEMBER_CHANNELS.flatMap((channel): MemberResult[] => {
    const own = counts.filter((row) => row.channel === channel);
    const sum = sums.find((row) => row.channel === channel);
    if (own.length === 0 && sum === undefined) return [];
    const result: MemberResult = {
      channel,
      waiting: 0,
      sending: 0,
      tryingAgain: 0,
      sent: sum?.sent ?? 0,
      cancelled: sum?.cancelled ?? 0,
      failed: sum?.failed ?? 0,
      expired: sum?.expired ?? 0,
      handled: sum?.handled ?? 0,
      reasons: [],
    };
    for (const row of own) result[stateOf(row)] += Number(row.count);
    const byReason =
      sum === undefined || sum.failed === 0 ? new Map<string, number>() : readReasons(sum.reasons);
    for (const { status, last_error, count } of reasons.filter((row) => row.channel === channel)) {
      if (status === 'pending') result.tryingAgain += Number(count);
      const reason = last_error ?? '';
      byReason.set(reason, (byReason.get(reason) ?? 0) + Number(count));
    }
    result.waiting -= result.tryingAgain;
    result.reasons = [...byReason]
      .map(([reason, count]) => ({ reason, count }))
      .sort((a, b) => b.count - a.count)
      .slice(0, MAX_REASONS);
    return [result];
  });
  return { complete: fan_out_status === 'done', results };
}

interface DeliveriesOfAlert {
  alertId: string;
  channel: MemberChannel;
  actor: Actor;
  clock: Clock;
}

/**
 * Sends the failed rows of a channel again, if the alert is still open; the daemon does it within about a second. Returns
 * how many. Writes the audit log. Throws `Conflict` `alert_closed` when the waiting room has closed.
 */
export async function retryMemberDeliveries(
  db: Kysely<Schema>,
  { alertId, channel, actor, clock }: DeliveriesOfAlert,
): Promise<number> {
  let retried = 0;
  // Ordered by id, so that a row that fails again in between is not sent twice.
  let after = '';
  for (;;) {
    const step = await inTransaction(db, async (trx) => {
      const alert = await trx
        .selectFrom('alerts')
        .select('status')
        .where('id', '=', alertId)
        .executeTakeFirst();
      if (alert === undefined || alert.status === 'closed')
        throw new DomainError('Conflict', {
          code: 'alert_closed',
          message: 'The waiting room has closed, so nothing is sent again. Mark the deliveries as handled.',
        });
      const now = clock.now();
      const failed = await trx
        .selectFrom('member_deliveries')
        .select('id')
        .where('alert_id', '=', alertId)
        .where('channel', '=', channel)
        .where('status', '=', 'dead')
        .where('handled_at', 'is', null)
        .where('id', '>', after)
        .orderBy('id')
        .limit(ROWS_PER_STEP)
        .execute();
      const ids = failed.map(({ id }) => id);
      after = ids.at(-1) ?? after;
      if (ids.length === 0) return 0;
      await trx
        .updateTable('member_deliveries')
        .set({
          ...memberOutbox.again({ now, lifetimeMs: ALERT_LIFETIME_MS }),
          last_status: null,
          last_error: null,
        })
        .where('id', 'in', ids)
        .execute();
      const count = ids.length;
      await writeAudit(
        trx,
        { actor, action: 'member_deliveries.retry', subject: alertId, details: { channel, count } },
        now,
      );
      return count;
    });
    retried += step;
    if (step < ROWS_PER_STEP) return retried;
  }
}

/** Marks the failed and expired rows of a channel as handled. Returns how many. Writes the audit log. */
export async function handleMemberDeliveries(
  db: Kysely<Schema>,
  { alertId, channel, actor, clock }: DeliveriesOfAlert,
): Promise<number> {
  return inTransaction(db, async (trx) => {
    const now = clock.now();
    const { numUpdatedRows } = await trx
      .updateTable('member_deliveries')
      .set({ handled_at: toIso(now), updated_at: toIso(now) })
      .where('alert_id', '=', alertId)
      .where('channel', '=', channel)
      .where('status', 'in', ['dead', 'expired'])
      .where('handled_at', 'is', null)
      .executeTakeFirst();
    const sum = await trx
      .selectFrom('member_delivery_sums')
      .select(['failed', 'expired', 'handled'])
      .where('alert_id', '=', alertId)
      .where('channel', '=', channel)
      .executeTakeFirst();
    const summed = sum === undefined ? 0 : sum.failed + sum.expired;
    if (sum !== undefined && summed > 0)
      await trx
        .updateTable('member_delivery_sums')
        .set({ failed: 0, expired: 0, handled: sum.handled + summed })
        .where('alert_id', '=', alertId)
        .where('channel', '=', channel)
        .execute();
    const count = Number(numUpdatedRows) + summed;
    if (count > 0)
      await writeAudit(
        trx,
        { actor, action: 'member_deliveries.handle', subject: alertId, details: { channel, count } },
        now,
      );
    return count;
  });
}
