import { sql, type Kysely, type Transaction } from 'kysely';
import { readPreferences, wantsAlert } from '../accounts/preferences';
import { ALERT_LIFETIME_MS } from '../alerts/alert-timing';
import { fromIso, type Clock } from '../clock';
import type { Schema } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { listProMembers } from '../subscriptions/list-pro-members';
import { memberOutbox, type MemberChannel } from './member-outbox';

/** Members whose rows one transaction writes: it blocks the event loop for some milliseconds. */
const MEMBERS_PER_STEP = 40;
/** A statement holds at most this many rows, so that there are few different statements. */
const ROWS_PER_INSERT = 50;

export interface FanOutStep {
  /** Rows that became due. */
  added: number;
  /** Whether every member of the alert is listed. */
  done: boolean;
}

/** The alerts whose members are not all listed yet, the oldest first. */
export async function listPendingFanOuts(db: Kysely<Schema>): Promise<string[]> {
  const rows = await db
    .selectFrom('alerts')
    .select('id')
    // A literal, as in the condition of the partial index.
    .where('fan_out_status', '=', sql.lit('pending'))
    .orderBy('opened_at')
    .execute();
  return rows.map(({ id }) => id);
}

interface Receiver {
  userId: string;
  channel: MemberChannel;
  target: string;
}

/** The addresses and browsers of members who want alerts about a watch. */
async function listReceivers(
  trx: Transaction<Schema>,
  { ids, watchSlug, mailEnabled }: { ids: readonly string[]; watchSlug: string; mailEnabled: boolean },
): Promise<Receiver[]> {
  if (ids.length === 0) return [];
  const members = await trx
    .selectFrom('users')
    .select(['id', 'email_verified_at', 'mail_bounced_at', 'preferences'])
    .where('id', 'in', [...ids])
    .where('disabled_at', 'is', null)
    .orderBy('id')
    .execute();
  const wanting = members.map(({ preferences, ...member }) => {
    const read = readPreferences(preferences);
    return {
      ...member,
      email: mailEnabled && wantsAlert(read, { channel: 'email', watchSlug }),
      push: wantsAlert(read, { channel: 'push', watchSlug }),
    };
  });
  const byMail = wanting.filter(
    (member) => member.email && member.email_verified_at !== null && member.mail_bounced_at === null,
  );
  const byPush = wanting.filter(({ push }) => push).map(({ id }) => id);
  const browsers =
    byPush.length === 0
      ? []
      : await trx
          .selectFrom('push_subscriptions')
          .select(['id', 'user_id'])
          .where('user_id', 'in', byPush)
          .execute();
  return [
    ...browsers.map(({ id, user_id }) => ({ userId: user_id, channel: 'push' as const, target: id })),
    ...byMail.map(({ id }) => ({ userId: id, channel: 'email' as const, target: id })),
  ];
}

/**
 * Adds a row per receiver. A row that was cancelled because the waiting room had closed waits again: the waiting room has
 * reopened.
 */
async function addRows(
  trx: Transaction<Schema>,
  {
    alertId,
    receivers,
    expiresAt,
    now,
  }: { alertId: string; receivers: readonly Receiver[]; expiresAt: number; now: number },
): Promise<number> {
  let added = 0;
  for (let from = 0; from < receivers.length; from += ROWS_PER_INSERT) {
    const rows = receivers.slice(from, from + ROWS_PER_INSERT).map(({ userId, channel, target }) => ({
      ...memberOutbox.newRow({ dueAt: now, expiresAt, owner: null, now }),
      alert_id: alertId,
      user_id: userId,
      channel,
      target,
    }));
    const { numInsertedOrUpdatedRows = 0n } = await trx
      .insertInto('member_deliveries')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['alert_id', 'channel', 'user_id', 'target'])
          .doUpdateSet((set) => ({
            status: 'pending',
            due_at: set.ref('excluded.due_at'),
            expires_at: set.ref('excluded.expires_at'),
            updated_at: set.ref('excluded.updated_at'),
          }))
          .where('member_deliveries.status', '=', 'cancelled'),
      )
      .executeTakeFirst();
    added += Number(numInsertedOrUpdatedRows);
  }
  return added;
}

/**
 * Writes the rows of the next members of an alert in one short transaction. The rows are due at once and expire with the
 * alert. A closed alert gets no more rows; when it reopens, its members are listed anew. Safe to run in several processes
 * at once.
 */
export async function fanOutStep(
  db: Kysely<Schema>,
  { alertId, mailEnabled, clock }: { alertId: string; mailEnabled: boolean; clock: Clock },
): Promise<FanOutStep> {
  return inTransaction(db, async (trx) => {
    const now = clock.now();
    const alert = await trx
      .selectFrom('alerts')
      .innerJoin('watches', 'watches.id', 'alerts.watch_id')
      .select([
        'alerts.status',
        'alerts.opened_at',
        'alerts.fan_out_at',
        'alerts.fan_out_after',
        'watches.slug',
      ])
      .where('alerts.id', '=', alertId)
      .where('alerts.fan_out_status', '=', 'pending')
      .executeTakeFirst();
    if (alert === undefined) return { added: 0, done: true };
    const closed = alert.status === 'closed';
    const page = closed
      ? { ids: [], last: null }
      : await listProMembers(trx, { after: alert.fan_out_after, limit: MEMBERS_PER_STEP, now });
    const receivers = await listReceivers(trx, { ids: page.ids, watchSlug: alert.slug, mailEnabled });
    const expiresAt = fromIso(alert.fan_out_at ?? alert.opened_at) + ALERT_LIFETIME_MS;
    const added = await addRows(trx, { alertId, receivers, expiresAt, now });
    const done = page.last === null;
    await trx
      .updateTable('alerts')
      .set(done ? { fan_out_status: 'done' } : { fan_out_after: page.last })
      .where('id', '=', alertId)
      .execute();
    return { added, done };
  });
}
