import type { Database } from '../database/schema';
import type { RoleAudience } from '../database/tables/members/member-roles';
import { readRoleSettings, type RoleSettings } from '../roles/role-settings';
import { listManagedRoles, type ManagedRole } from '../roles/watch-roles';
import { findProMembers } from '../subscriptions/list-pro-members';
import { PRO_STATUSES } from '../subscriptions/membership';
import { readWishes } from './wishes';

type RoleWatch = Pick<NonNullable<ManagedRole['watch']>, 'slug' | 'title' | 'kind'>;

/**
 * A member's role, for the member and for admins. held, missing: as it should be; coming, leaving: being changed, or waiting
 * for Discord or an admin; unchecked: not known yet; absent: not in the server; banned: the server let them in no more.
 */
export interface RoleState {
  audience: ManagedRole['audience'];
  /** Whose alerts the role is about; null for the role of an audience. */
  watch: RoleWatch | null;
  state: 'held' | 'missing' | 'coming' | 'leaving' | 'unchecked' | 'absent' | 'banned';
  wanted: boolean;
}

/**
 * The roles of a Discord account at `now` (epoch ms): those of audiences that are set, and those of watches that it should
 * have or is about to lose.
 */
export async function readRoles(
  db: Database,
  { discordId, now }: { discordId: string; now: number },
): Promise<RoleState[]> {
  const managed = await listManagedRoles(db);
  if (managed.length === 0) return [];
  const wish = (await readWishes(db, { discordIds: [discordId], now })).get(discordId);
  const rows = await db
    .selectFrom('member_roles')
    .select(['audience', 'role_id', 'found'])
    .where('discord_id', '=', discordId)
    .execute();
  const isBanned = rows.some((row) => row.found === 'banned');
  return managed.flatMap(({ audience, roleId, watch }): RoleState[] => {
    const row = rows.find((one) => (watch === null ? one.audience === audience : one.role_id === roleId));
    const found = row?.found ?? 'unknown';
    const wanted = wish?.roles.has(roleId) ?? false;
    if (watch !== null && !wanted && found !== 'held') return [];
    const role = {
      audience,
      watch: watch && { slug: watch.slug, title: watch.title, kind: watch.kind },
      wanted,
    };
    if (found === 'absent' || found === 'banned') return [{ ...role, state: isBanned ? 'banned' : 'absent' }];
    if (found === 'unknown') return [{ ...role, state: watch === null ? 'unchecked' : 'coming' }];
    const isRight = (found === 'held') === wanted;
    return [{ ...role, state: isRight ? found : wanted ? 'coming' : 'leaving' }];
  });
}

/** What a role is called: that of an audience, or of a watch; `watch` null: a watch had it. */
export interface RoleName {
  audience: ManagedRole['audience'];
  watch: string | null;
}

/** What keeps roles from being changed now, in a sentence for admins, and for how many members. */
interface RoleFault extends RoleName {
  reason: string;
  members: number;
}

/** What the comparison would change. */
export interface RoleDifference extends RoleName {
  discordId: string;
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
  /** The roles of watches, and how many members have each. */
  watches: (RoleWatch & { roleId: string; held: number })[];
  faults: RoleFault[];
  /** Those that wait for an admin. */
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
  const managed = await listManagedRoles(db);
  const watchOf = (roleId: string): string | null =>
    managed.find((role) => role.watch !== null && role.roleId === roleId)?.watch?.title ?? null;
  const found = await db
    .selectFrom('member_roles')
    .select(['audience', 'role_id', 'found', ({ fn }) => fn.countAll().as('count')])
    .groupBy(['audience', 'role_id', 'found'])
    .execute();
  const countOf = (audience: RoleAudience, state: string): number =>
    Number(found.find((row) => row.audience === audience && row.found === state)?.count ?? 0);
  const most = (state: string): number =>
    Math.max(0, ...found.filter((row) => row.found === state).map(({ count }) => Number(count)));
  const faults = await db
    .selectFrom('member_roles')
    .select(['audience', 'role_id', 'last_error', ({ fn }) => fn.countAll().as('count')])
    .where('status', 'in', ['pending', 'sending', 'expired'])
    .where('last_error', 'is not', null)
    .groupBy(['audience', 'role_id', 'last_error'])
    .orderBy('count', 'desc')
    .limit(5)
    .execute();
  // Differences that need no admin are being changed: their rows are due.
  const waiting = db
    .selectFrom('member_roles')
    .where('member_roles.difference', 'is not', null)
    .where('member_roles.status', 'not in', ['pending', 'sending']);
  const { total } = await waiting.select(({ fn }) => fn.countAll().as('total')).executeTakeFirstOrThrow();
  const first = await waiting
    .leftJoin('users', 'users.discord_id', 'member_roles.discord_id')
    .select([
      'member_roles.discord_id',
      'member_roles.audience',
      'member_roles.role_id',
      'member_roles.difference',
      'users.id as accountId',
      'users.username',
    ])
    .orderBy('member_roles.discord_id')
    .orderBy('member_roles.audience')
    .orderBy('member_roles.role_id')
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
    watches: managed.flatMap(({ roleId, watch }) =>
      watch === null
        ? []
        : [
            {
              slug: watch.slug,
              title: watch.title,
              kind: watch.kind,
              roleId,
              held: Number(found.find((row) => row.role_id === roleId && row.found === 'held')?.count ?? 0),
            },
          ],
    ),
    faults: faults.map(({ audience, role_id, last_error, count }) => ({
      audience,
      watch: watchOf(role_id),
      reason: last_error ?? '',
      members: Number(count),
    })),
    differences: {
      total: Number(total),
      first: first.map(({ discord_id, audience, role_id, difference, accountId, username }) => ({
        discordId: discord_id,
        audience,
        watch: watchOf(role_id),
        difference: difference ?? 'add',
        account: accountId === null || username === null ? null : { id: accountId, username },
      })),
    },
  };
}
