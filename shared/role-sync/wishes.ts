import type { Database } from '../database/schema';
import type { RoleAudience } from '../database/tables/members/member-roles';
import { findProMembers } from '../subscriptions/list-pro-members';

/** Which roles a Discord account should have. */
export interface RoleWish {
  /** The account that it is linked to. */
  accountId: string;
  audiences: ReadonlySet<RoleAudience>;
  /** Epoch ms: when Pro ends if nothing else happens; null without Pro. */
  proUntil: number | null;
}

/**
 * What these Discord accounts should have at `now` (epoch ms): the instant role with Pro, the grace included, and the free
 * role with beta access. Those that are linked to no account are left out; a disabled account should have none.
 */
export async function readWishes(
  db: Database,
  { discordIds, now }: { discordIds: readonly string[]; now: number },
): Promise<Map<string, RoleWish>> {
  if (discordIds.length === 0) return new Map();
  const accounts = await db
    .selectFrom('users')
    .select(['id', 'discord_id', 'disabled_at', 'beta_approved_at'])
    .where('discord_id', 'in', [...discordIds])
    .execute();
  if (accounts.length === 0) return new Map();
  const pro = await findProMembers(db, { accountIds: accounts.map(({ id }) => id), now });
  return new Map(
    accounts.map((account) => {
      const proUntil = account.disabled_at === null ? (pro.get(account.id) ?? null) : null;
      const hasBeta = account.disabled_at === null && account.beta_approved_at !== null;
      const audiences = new Set<RoleAudience>();
      if (proUntil !== null) audiences.add('instant');
      if (hasBeta) audiences.add('free');
      return [account.discord_id ?? '', { accountId: account.id, audiences, proUntil }];
    }),
  );
}
