import type { Database, Transaction } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { requestRows } from '../roles/request-roles';
import { listManagedRoles, type WatchOfRole } from '../roles/watch-roles';
import { PRO_STATUSES } from '../subscriptions/membership';
import { readWishes } from './wishes';

const ACCOUNTS_PER_STEP = 200;

/** Adds the rows of the roles of watches that these Discord accounts should have, and sends the others that they have again. */
export async function requestWatchRoles(
  trx: Transaction,
  { discordIds, roleId, now }: { discordIds: readonly string[]; roleId?: string; now: number },
): Promise<void> {
  if (discordIds.length === 0) return;
  const wishes = await readWishes(trx, { discordIds, now });
  const ofWatches = (await listManagedRoles(trx)).filter(({ watch }) => watch !== null);
  const wanted = ofWatches.filter((role) => roleId === undefined || role.roleId === roleId);
  let stored = trx
    .selectFrom('member_roles')
    .select(['discord_id', 'role_id'])
    .where('discord_id', 'in', [...discordIds])
    .where('role_id', '<>', '');
  if (roleId !== undefined) stored = stored.where('role_id', '=', roleId);
  const rows = new Map(
    [
      ...(await stored.execute()),
      ...wanted.flatMap((role) =>
        discordIds
          .filter((id) => wishes.get(id)?.roles.has(role.roleId) === true)
          .map((discord_id) => ({ discord_id, role_id: role.roleId })),
      ),
    ].map((row) => [`${row.discord_id} ${row.role_id}`, row]),
  );
  await requestRows(
    trx,
    [...rows.values()].map((row) => ({ ...row, audience: 'watch' })),
    now,
  );
}

/** A page of the Discord accounts that have a row of a role, or may want it, in the order of their ids. */
async function listAccounts(
  db: Database,
  { roleId, watch, after }: { roleId: string; watch: WatchOfRole | null; after: string },
): Promise<string[]> {
  const holders = db
    .selectFrom('member_roles')
    .select('discord_id as id')
    .where('role_id', '=', roleId)
    .where('discord_id', '>', after)
    .orderBy('discord_id')
    .limit(ACCOUNTS_PER_STEP);
  const members = db
    .selectFrom('users')
    .select('discord_id as id')
    .where('discord_id', '>', after)
    .where(({ exists, selectFrom }) =>
      watch?.kind === 'product'
        ? exists(
            selectFrom('product_follows')
              .select('product_id')
              .whereRef('user_id', '=', 'users.id')
              .where('product_id', '=', watch.productId),
          )
        : exists(
            selectFrom('subscriptions')
              .select('subscriptions.id')
              .whereRef('user_id', '=', 'users.id')
              .where('status', 'in', PRO_STATUSES),
          ),
    )
    .orderBy('discord_id')
    .limit(ACCOUNTS_PER_STEP);
  const rows = [...(await holders.execute()), ...(watch === null ? [] : await members.execute())];
  const ids = [...new Set(rows.flatMap(({ id }) => id ?? []))];
  return ids.toSorted((a, b) => (a < b ? -1 : 1)).slice(0, ACCOUNTS_PER_STEP);
}

const findPending = (db: Database) =>
  db
    .selectFrom('watch_roles')
    .select(['role_id', 'watch_id', 'fan_out_after'])
    .where('fan_out_status', '=', 'pending')
    .orderBy('role_id')
    .limit(1)
    .executeTakeFirst();

/**
 * Continues to list the members of a role of a watch that was set, removed or changed: one page of `ACCOUNTS_PER_STEP`
 * accounts, whose rows are due at once. Called by the daemon's sweep, so a role of thousands of members delays nothing else.
 */
export async function continueWatchRoles(db: Database, now: number): Promise<void> {
  if ((await findPending(db)) === undefined) return;
  await inTransaction(db, async (trx) => {
    const row = await findPending(trx);
    if (row === undefined) return;
    const { role_id: roleId, fan_out_after: after } = row;
    const watch =
      (await listManagedRoles(trx)).find((role) => role.watch?.id === row.watch_id)?.watch ?? null;
    const discordIds = await listAccounts(trx, { roleId, watch, after: after ?? '' });
    await requestWatchRoles(trx, { discordIds, roleId, now });
    const last = discordIds.at(-1);
    await trx
      .updateTable('watch_roles')
      .set(
        discordIds.length < ACCOUNTS_PER_STEP || last === undefined
          ? { fan_out_status: 'done', fan_out_after: null }
          : { fan_out_after: last },
      )
      .where('role_id', '=', roleId)
      .execute();
  });
}
