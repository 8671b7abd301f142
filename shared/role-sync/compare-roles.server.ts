import { GuildUnread, type DiscordGuild } from '../channels/discord/discord-guild.server';
import { toIso, type Clock } from '../clock';
import type { Database, Transaction } from '../database/schema';
import type { MemberRolesTable } from '../database/tables/members/member-roles';
import { inTransaction } from '../database/transaction';
import { newOrderedId } from '../ids';
import { dueNow, isUnlinked } from '../roles/request-roles';
import { listManagedRoles, type ManagedRole } from '../roles/watch-roles';
import { readWishes } from './wishes';

/** A comparison makes so many changes without an admin; more wait for an admin. */
const CHANGES_AT_MOST = 20;
const ACCOUNTS_PER_STEP = 200;

interface CompareContext {
  db: Database;
  clock: Clock;
  guild: DiscordGuild;
}

/** What a comparison found. */
export interface RoleComparison {
  /** Null: it was made, for every role. */
  fault: string | null;
  known: number;
  differences: number;
  /** Whether the differences are being changed; false: they wait for an admin, or there are none. */
  applied: boolean;
}

interface Finding {
  discord_id: string;
  audience: MemberRolesTable['audience'];
  role_id: string;
  found: 'held' | 'missing' | 'absent';
  recheck_at: string | null;
  difference: 'add' | 'remove' | null;
  /** The role of a watch, which the member neither has nor should have: it needs no row. */
  isOver: boolean;
}

const keyOf = ({
  discord_id,
  audience,
  role_id,
}: Pick<Finding, 'discord_id' | 'audience' | 'role_id'>): string => `${discord_id} ${audience} ${role_id}`;

/** The Discord accounts that have an account here, or a row of one that they were linked to. */
async function* listKnownIds(db: Database): AsyncGenerator<string[]> {
  for (let after = ''; ;) {
    const page = await db
      .selectFrom('users')
      .select('discord_id as id')
      .where('discord_id', '>', after)
      .union(db.selectFrom('member_roles').select('discord_id as id').where('discord_id', '>', after))
      .orderBy('id')
      .limit(ACCOUNTS_PER_STEP)
      .execute();
    const ids = page.flatMap(({ id }) => id ?? []);
    if (ids.length > 0) yield ids;
    if (page.length < ACCOUNTS_PER_STEP) return;
    after = ids.at(-1) ?? after;
  }
}

interface CheckedRoles {
  managed: readonly ManagedRole[];
  /** The ids of roles that watches had: they are taken from those who have them from us. */
  former: readonly string[];
}

/** The roles to compare. Those whose members are still being listed are left out. */
async function listCheckedRoles(db: Database): Promise<CheckedRoles> {
  const managed = await listManagedRoles(db);
  const rows = await db
    .selectFrom('watch_roles')
    .select('role_id')
    .where('fan_out_status', '=', 'done')
    .execute();
  return {
    managed: managed.filter(({ watch }) => watch?.isBeingListed !== true),
    former: rows.flatMap(({ role_id }) =>
      managed.some(({ roleId }) => roleId === role_id) ? [] : [role_id],
    ),
  };
}

/** What the server says of some accounts, beside what they should have. */
async function judge(
  { db, clock }: CompareContext,
  {
    discordIds,
    members,
    roles: { managed, former },
  }: {
    discordIds: readonly string[];
    members: ReadonlyMap<string, readonly string[]>;
    roles: CheckedRoles;
  },
): Promise<Finding[]> {
  const wishes = await readWishes(db, { discordIds, now: clock.now() });
  const given =
    former.length === 0
      ? []
      : await db
          .selectFrom('member_roles')
          .select(['discord_id', 'role_id'])
          .where('role_id', 'in', former)
          .where('discord_id', 'in', discordIds)
          .execute();
  return discordIds.flatMap((discord_id) => {
    const ofMember = given.filter((row) => row.discord_id === discord_id);
    const checked = [
      ...managed,
      ...ofMember.map(({ role_id }) => ({ audience: 'watch' as const, roleId: role_id })),
    ];
    return checked.map(({ audience, roleId }): Finding => {
      const roles = members.get(discord_id);
      const wish = wishes.get(discord_id);
      const wanted = wish?.roles.has(roleId) ?? false;
      const has = roles?.includes(roleId) ?? false;
      const until = audience !== 'free' && wanted && roles !== undefined ? (wish?.proUntil ?? null) : null;
      return {
        discord_id,
        audience,
        role_id: audience === 'watch' ? roleId : '',
        found: roles === undefined ? 'absent' : has ? 'held' : 'missing',
        recheck_at: until === null ? null : toIso(until),
        difference: roles === undefined || has === wanted ? null : wanted ? 'add' : 'remove',
        isOver: audience === 'watch' && !wanted && !has,
      };
    });
  });
}

/** Writes the findings that are news. Rows that are being sent, or changed since `began`, know better. */
async function writeFindings(
  trx: Transaction,
  findings: readonly Finding[],
  began: string,
  now: number,
): Promise<void> {
  const rows = await trx
    .selectFrom('member_roles')
    .selectAll()
    .where('discord_id', 'in', [...new Set(findings.map(({ discord_id }) => discord_id))])
    .execute();
  const stored = new Map(rows.map((row) => [keyOf(row), row]));
  for (const { isOver, ...finding } of findings) {
    const row = stored.get(keyOf(finding));
    const { found, recheck_at, difference } = finding;
    const facts = { recheck_at, difference, found_at: toIso(now), updated_at: toIso(now) };
    if (row === undefined) {
      if (isOver) continue;
      await trx
        .insertInto('member_roles')
        .values({
          id: newOrderedId(now),
          ...finding,
          ...facts,
          // Nothing to send, or nothing before an admin agrees.
          status: 'cancelled',
          due_at: toIso(now),
          expires_at: toIso(now),
          created_at: toIso(now),
        })
        .execute();
    } else if (row.status !== 'pending' && row.status !== 'sending' && row.updated_at < began) {
      if (isOver) {
        await trx.deleteFrom('member_roles').where('id', '=', row.id).execute();
        continue;
      }
      const isSame =
        row.found === found &&
        row.recheck_at === recheck_at &&
        row.difference === difference &&
        row.last_error === null;
      // A departure looks like a ban.
      const seen = row.found === 'banned' && found === 'absent' ? 'banned' : found;
      if (!isSame)
        await trx
          .updateTable('member_roles')
          .set({ ...facts, found: seen, last_error: null })
          .where('id', '=', row.id)
          .execute();
    }
  }
}

/** Stores the result, and requests the changes that need no admin. Returns whether it did. */
async function conclude(
  { db, clock }: CompareContext,
  { name, known, fault }: { name: string; known: number; fault: string | null },
): Promise<{ differences: number; applied: boolean }> {
  return inTransaction(db, async (trx) => {
    const now = clock.now();
    // Rows of accounts that are no longer linked, and have no role to lose.
    await trx
      .deleteFrom('member_roles')
      .where('status', 'not in', ['pending', 'sending'])
      .where('difference', 'is', null)
      .where(isUnlinked)
      .execute();
    // Former roles of watches that no member has any more.
    await trx
      .deleteFrom('watch_roles')
      .where('watch_id', 'is', null)
      .where('fan_out_status', '=', 'done')
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('member_roles')
              .select('id')
              .whereRef('member_roles.role_id', '=', 'watch_roles.role_id'),
          ),
        ),
      )
      .execute();
    const { count } = await trx
      .selectFrom('member_roles')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('difference', 'is not', null)
      .executeTakeFirstOrThrow();
    const differences = Number(count);
    const applied = differences > 0 && differences <= CHANGES_AT_MOST;
    if (applied)
      await trx.updateTable('member_roles').set(dueNow(now)).where('difference', 'is not', null).execute();
    await storeServer(trx, { name, fault, known_members: known }, now);
    return { differences, applied };
  });
}

async function storeServer(
  trx: Transaction,
  facts: { name?: string; fault: string | null; known_members?: number },
  now: number,
): Promise<void> {
  const change = { ...facts, compared_at: toIso(now) };
  await trx
    .insertInto('discord_server')
    .values({ id: 'server', name: null, known_members: 0, ...change })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(change))
    .execute();
}

/**
 * Compares the roles of Discord's server with what members should have. Up to `CHANGES_AT_MOST` differences are requested
 * as changes; more are stored and wait for an admin. Members without an account here are left alone. A fault of the bot or
 * of Discord is stored for the admins; that of a watch's role keeps no other role from being compared. Null: no role is set.
 */
export async function compareRoles(context: CompareContext): Promise<RoleComparison | null> {
  const { db, clock, guild } = context;
  const { managed, former } = await listCheckedRoles(db);
  if (managed.length === 0 && former.length === 0) return null;
  const roleIds = new Set([...managed.map(({ roleId }) => roleId), ...former]);
  const began = toIso(clock.now());
  const fail = async (fault: string): Promise<RoleComparison> => {
    await inTransaction(db, (trx) => storeServer(trx, { fault }, clock.now()));
    return { fault, known: 0, differences: 0, applied: false };
  };
  const server = await guild.inspect(managed.map(({ roleId }) => roleId));
  if (server.kind !== 'ok')
    return fail(server.kind === 'fault' ? server.reason : 'The bot is not in the server: add it again.');
  const { name, faultOf } = server.value;
  const faulty = managed.filter(({ roleId }) => faultOf.has(roleId));
  const ofAudience = faulty.find(({ watch }) => watch === null);
  const fault = server.value.fault ?? (ofAudience && faultOf.get(ofAudience.roleId));
  if (fault != null) return fail(fault);
  const [ofWatch] = faulty;
  const watchFault = ofWatch === undefined ? null : `${ofWatch.watch?.title}: ${faultOf.get(ofWatch.roleId)}`;
  const roles = { managed: managed.filter(({ roleId }) => !faultOf.has(roleId)), former };

  const members = new Map<string, readonly string[]>();
  try {
    for await (const page of guild.listMembers())
      for (const member of page)
        members.set(
          member.discordId,
          member.roles.filter((role) => roleIds.has(role)),
        );
  } catch (error) {
    if (!(error instanceof GuildUnread)) throw error;
    return fail(error.message);
  }
  let known = 0;
  for await (const discordIds of listKnownIds(db)) {
    const findings = await judge(context, { discordIds, members, roles });
    await inTransaction(db, (trx) => writeFindings(trx, findings, began, clock.now()));
    known += discordIds.filter((discordId) => members.has(discordId)).length;
  }
  return { fault: watchFault, known, ...(await conclude(context, { name, known, fault: watchFault })) };
}
