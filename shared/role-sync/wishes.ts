import { readPreferences } from '../accounts/preferences';
import type { Database } from '../database/schema';
import { storedNames } from '../follows/match-follow';
import { listManagedRoles, type WatchOfRole } from '../roles/watch-roles';
import { findProMembers } from '../subscriptions/list-pro-members';

/** Which roles a Discord account should have. */
export interface RoleWish {
  /** The account that it is linked to. */
  accountId: string;
  /** Their ids at Discord. */
  roles: ReadonlySet<string>;
  /** Epoch ms: when Pro ends if nothing else happens; null without Pro. */
  proUntil: number | null;
}

/** Whether a follow includes the offer of a watch, whatever its events and price limit. */
function isAbout(
  follow: { product_id: string; retailer_ids: string | null; variant_keys: string | null },
  { productId, retailerId, variantKey }: WatchOfRole,
): boolean {
  const retailers = storedNames(follow.retailer_ids);
  const variants = storedNames(follow.variant_keys);
  return (
    follow.product_id === productId &&
    (retailers === null || retailers.includes(retailerId ?? '')) &&
    (variants === null || variantKey === null || variants.includes(variantKey))
  );
}

/**
 * The roles that these Discord accounts should have at `now` (epoch ms): the instant role with Pro, including the grace
 * period; the free role with beta access; and with Pro the role of each watch whose alerts the account wants: of a
 * product that it follows, or of a waiting room that its alerts are about. Unlinked Discord accounts are left out; a
 * disabled account should have none.
 */
export async function readWishes(
  db: Database,
  { discordIds, now }: { discordIds: readonly string[]; now: number },
): Promise<Map<string, RoleWish>> {
  if (discordIds.length === 0) return new Map();
  const accounts = await db
    .selectFrom('users')
    .select(['id', 'discord_id', 'disabled_at', 'beta_approved_at', 'preferences'])
    .where('discord_id', 'in', [...discordIds])
    .execute();
  if (accounts.length === 0) return new Map();
  const pro = await findProMembers(db, { accountIds: accounts.map(({ id }) => id), now });
  const managed = await listManagedRoles(db);
  const productIds = managed.flatMap(({ watch }) => watch?.productId ?? []);
  const follows =
    productIds.length === 0 || pro.size === 0
      ? []
      : await db
          .selectFrom('product_follows')
          .select(['user_id', 'product_id', 'retailer_ids', 'variant_keys'])
          .where('user_id', 'in', [...pro.keys()])
          .where('product_id', 'in', productIds)
          .execute();
  return new Map(
    accounts.map((account) => {
      const isEnabled = account.disabled_at === null;
      const proUntil = isEnabled ? (pro.get(account.id) ?? null) : null;
      const { watches } = readPreferences(account.preferences).alerts;
      const own = follows.filter(({ user_id }) => user_id === account.id);
      const wants = (watch: WatchOfRole): boolean =>
        watch.kind === 'waiting_room'
          ? watches === null || watches.includes(watch.slug)
          : own.some((follow) => isAbout(follow, watch));
      const roles = managed.filter(({ audience, watch }) =>
        audience === 'free'
          ? isEnabled && account.beta_approved_at !== null
          : proUntil !== null && (watch === null || wants(watch)),
      );
      return [
        account.discord_id ?? '',
        { accountId: account.id, roles: new Set(roles.map(({ roleId }) => roleId)), proUntil },
      ];
    }),
  );
}
