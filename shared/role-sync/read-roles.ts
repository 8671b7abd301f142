import type { Database } from '../database/schema';
import type { RoleAudience } from '../database/tables/members/member-roles';
import { AUDIENCES, readRoleSettings, type RoleSettings } from '../roles/role-settings';
import { findProMembers } from '../subscriptions/list-pro-members';
import { PRO_STATUSES } from '../subscriptions/membership';
import { readWishes } from './wishes';

/**
 * A member's role, for the member and for admins. held, missing: as it should be; coming, leaving: being changed, or waiting
 * for Discord or an admin; unchecked: not known yet; absent: not in the server; banned: the server let them in no more.
 */
export interface RoleState {
  audience: RoleAudience;
  state: 'held' | 'missing' | 'coming' | 'leaving' | 'unchecked' | 'absent' | 'banned';
  wanted: boolean;
}

/** The roles of a Discord account at `now` (epoch ms), one entry per role that is set. */
export async function readRoles(
  db: Database,
  { discordId, now }: { discordId: string; now: number },
): Promise<RoleState[]> {
  const settings = await readRoleSettings(db);
  const set = AUDIENCES.filter((audience) => settings[audience] !== '');
  if (set.length === 0) return [];
  const wish = (await readWishes(db, { discordIds: [discordId], now })).get(discordId);
  const rows = await db
    .selectFrom('member_roles')
    .select(['audience', 'found'])
    .where('discord_id', '=', discordId)
    .execute();
  return set.map((audience) => {
    const found = rows.find((row) => row.audience === audience)?.found ?? 'unknown';
    const wanted = wish?.audiences.has(audience) ?? false;
    if (found === 'absent' || found === 'banned') return { audience, state: found, wanted };
    if (found === 'unknown') return { audience, state: 'unchecked', wanted };
    const isRight = (found === 'held') === wanted;
    return { audience, state: isRight ? found : wanted ? 'coming' : 'leaving', wanted };
  });
}

/** What keeps roles from being changed now, in a sentence for admins, and for how many members. */
interface RoleFault {
  audience: RoleAudience;
  reason: string;
  members: number;
}

/** What the comparison would change. */
export interface RoleDifference {
  discordId: string;
  audience: RoleAudience;
  difference: 'add' | 'remove';
  /** Null: the Discord account is no longer linked. */
  account: { id: string; username: string } | null;
}

/** The state of the roles on Discord, for admins. */
export interface RolesOverview {
  settings: RoleSettings;
  /** Null: never compared. Times are ISO. */
  server: { name: string | null; fault: string | null; comparedAt: string; knownMembers: number } | null;
  /** How many members have each role, are not in the server, or are banned. */
  counts: { held: Record<RoleAudience, number>; absent: number; banned: number; unlinkedPro: number };
  faults: RoleFault[];
  differences: { total: number; first: RoleDifference[] };
}

const SHOWN_DIFFERENCES = 100;

/** How many members with Pro have no linked Discord account. */
async function countUnlinkedPro(db: Database, now: number): Promise<number> {
  const rows = await db
    .selectFrom('subscriptions')
    .innerJoin('users', 'users.id', 'subscriptions.user_id')
    .select('users.id')
    .where('subscriptions.status', 'in', PRO_STATUSES)
    .where('users.discord_id', 'is', null)
    .execute();
  if (rows.length === 0) return 0;
  return (await findProMembers(db, { accountIds: rows.map(({ id }) => id), now })).size;
}

/** Reads what the admins' page shows. */
export async function readRolesOverview(db: Database, now: number): Promise<RolesOverview> {
  const settings = await readRoleSettings(db);
  const server = await db.selectFrom('discord_server').selectAll().executeTakeFirst();
  const found = await db
    .selectFrom('member_roles')
    .select(['audience', 'found', ({ fn }) => fn.countAll().as('count')])
    .groupBy(['audience', 'found'])
    .execute();
  const countOf = (audience: RoleAudience, state: string): number =>
    Number(found.find((row) => row.audience === audience && row.found === state)?.count ?? 0);
  const most = (state: string): number => Math.max(...AUDIENCES.map((audience) => countOf(audience, state)));
  const faults = await db
    .selectFrom('member_roles')
    .select(['audience', 'last_error', ({ fn }) => fn.countAll().as('count')])
    .where('status', 'in', ['pending', 'sending', 'expired'])
    .where('last_error', 'is not', null)
    .groupBy(['audience', 'last_error'])
    .orderBy('count', 'desc')
    .limit(5)
    .execute();
  const { total } = await db
    .selectFrom('member_roles')
    .select(({ fn }) => fn.countAll().as('total'))
    .where('difference', 'is not', null)
    .executeTakeFirstOrThrow();
  const first = await db
    .selectFrom('member_roles')
    .leftJoin('users', 'users.discord_id', 'member_roles.discord_id')
    .select([
      'member_roles.discord_id',
      'member_roles.audience',
      'member_roles.difference',
      'users.id as accountId',
      'users.username',
    ])
    .where('member_roles.difference', 'is not', null)
    .orderBy('member_roles.discord_id')
    .orderBy('member_roles.audience')
    .limit(SHOWN_DIFFERENCES)
    .execute();
  return {
    settings,
    server:
      server === undefined
        ? null
        : {
            name: server.name,
            fault: server.fault,
            comparedAt: server.compared_at,
            knownMembers: server.known_members,
          },
    counts: {
      held: { instant: countOf('instant', 'held'), free: countOf('free', 'held') },
      absent: most('absent'),
      banned: most('banned'),
      unlinkedPro: await countUnlinkedPro(db, now),
    },
    faults: faults.map(({ audience, last_error, count }) => ({
      audience,
      reason: last_error ?? '',
      members: Number(count),
    })),
    differences: {
      total: Number(total),
      first: first.map(({ discord_id, audience, difference, accountId, username }) => ({
        discordId: discord_id,
        audience,
        difference: difference ?? 'add',
        account: accountId === null || username === null ? null : { id: accountId, username },
      })),
    },
  };
}
