import { sql, type Insertable } from 'kysely';
import { DAY, toIso } from '../clock';
import { deleteInBatches } from '../database/delete-in-batches';
import type { Database, Transaction } from '../database/schema';
import type { MemberRolesTable } from '../database/tables/members/member-roles';
import { inTransaction } from '../database/transaction';
import { OUTBOXES } from '../outbox/outboxes';
import { AUDIENCES, readRoleSettings } from './role-settings';
import { hasWatchRoles } from './watch-roles';

export const roleOutbox = OUTBOXES.roles;

/** After a week without success only the daily comparison continues. */
export const ROLE_LIFETIME_MS = 7 * DAY;

/** Rows of a Discord account that is linked to no account here. */
export const isUnlinked = sql<boolean>`not exists (select 1 from users where users.discord_id = member_roles.discord_id)`;

/** Deletes the rows of Discord accounts that are no longer linked, a week after their last change. Returns how many. */
export function purgeRoles(db: Database, now: number): Promise<number> {
  return deleteInBatches(db, (trx, limit) =>
    trx.deleteFrom('member_roles').where('id', 'in', (from) =>
      from
        .selectFrom('member_roles')
        .select('id')
        .where('updated_at', '<', toIso(now - ROLE_LIFETIME_MS))
        .where(isUnlinked)
        .limit(limit),
    ),
  );
}

/** Sends the rows again at once; a row that is being sent, afterwards. */
export const dueNow = (now: number) => ({
  status: sql<
    'pending' | 'sending'
  >`case when member_roles.status = 'sending' then 'sending' else 'pending' end`,
  again: sql<0 | 1>`case when member_roles.status = 'sending' then 1 else 0 end`,
  // A row that waits for its next attempt keeps count of them.
  attempts: sql<number>`case when member_roles.status in ('pending', 'sending') then member_roles.attempts else 0 end`,
  due_at: toIso(now),
  expires_at: toIso(now + ROLE_LIFETIME_MS),
  recheck_at: null,
  // Otherwise a failed attempt would count as the edit of a message.
  sent_at: null,
  updated_at: toIso(now),
});

/** Adds rows to the outbox, or sends existing ones again. */
export async function requestRows(
  trx: Transaction,
  wanted: readonly Pick<Insertable<MemberRolesTable>, 'discord_id' | 'audience' | 'role_id'>[],
  now: number,
): Promise<void> {
  if (wanted.length === 0) return;
  await trx
    .insertInto('member_roles')
    .values(
      wanted.map((row) => ({
        ...roleOutbox.newRow({ dueAt: now, expiresAt: now + ROLE_LIFETIME_MS, owner: null, now }),
        ...row,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['discord_id', 'audience', 'role_id']).doUpdateSet(dueNow(now)),
    )
    .execute();
}

/**
 * Requests a sync of these Discord accounts' roles. Call it in the transaction of a change that affects them. Does
 * nothing for null, or while no role is set. The daemon's sweep sends the rows.
 */
export async function requestRoles(
  trx: Transaction,
  discordIds: readonly (string | null)[],
  now: number,
): Promise<void> {
  const known = [...new Set(discordIds)].filter((id) => id !== null);
  if (known.length === 0) return;
  const settings = await readRoleSettings(trx);
  const audiences = [
    ...AUDIENCES.filter((audience) => settings[audience] !== ''),
    ...((await hasWatchRoles(trx)) ? (['watch'] as const) : []),
  ];
  await requestRows(
    trx,
    audiences.flatMap((audience) => known.map((discord_id) => ({ discord_id, audience }))),
    now,
  );
}

async function findDiscordId(trx: Transaction, accountId: string): Promise<string | null> {
  const account = await trx
    .selectFrom('users')
    .select('discord_id')
    .where('id', '=', accountId)
    .executeTakeFirst();
  return account?.discord_id ?? null;
}

/** The same for the Discord account of an account, if it has one. */
export async function requestRolesOf(trx: Transaction, accountId: string, now: number): Promise<void> {
  await requestRoles(trx, [await findDiscordId(trx, accountId)], now);
}

/** The same for watch roles only, after an account changed which watches it wants alerts from. */
export async function requestWatchRolesOf(trx: Transaction, accountId: string, now: number): Promise<void> {
  if (!(await hasWatchRoles(trx))) return;
  const discordId = await findDiscordId(trx, accountId);
  if (discordId !== null) await requestRows(trx, [{ discord_id: discordId, audience: 'watch' }], now);
}

/** Requests a sync of roles whose Pro has ended without an event. Returns how many. */
export async function requestRechecks(db: Database, now: number): Promise<number> {
  const due = await db
    .selectFrom('member_roles')
    .select('id')
    .where('recheck_at', '<=', toIso(now))
    .limit(500)
    .execute();
  if (due.length === 0) return 0;
  await inTransaction(db, (trx) =>
    trx
      .updateTable('member_roles')
      .set(dueNow(now))
      .where(
        'id',
        'in',
        due.map(({ id }) => id),
      )
      .where('recheck_at', '<=', toIso(now))
      .execute(),
  );
  return due.length;
}
