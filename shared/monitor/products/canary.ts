import { addNotice, type AdminContacts } from '../../alerts/admin-notices';
import type { Delivery } from '../../alerts/deliveries/deliveries';
import { toIso } from '../../clock';
import { prepareQuery } from '../../database/prepare-query';
import type { Transaction } from '../../database/schema';
import type { ProductJudgement } from '../checks/verdict';
import { isBuyable } from '../checks/recording/decide-restock';
import { readDistrusted, type SourceTrust } from './source-trust';
import type { Watch } from '../watches/watches';

const selectShop = prepareQuery((db, { retailerId }: { retailerId: string }) =>
  db
    .selectFrom('retailers')
    .leftJoin('watches', (join) =>
      join.onRef('watches.id', '=', 'retailers.canary_watch_id').on('watches.deleted_at', 'is', null),
    )
    .leftJoin('monitor_checks', 'monitor_checks.id', 'watches.last_check_id')
    .select([
      'watches.id',
      'watches.title',
      'watches.running',
      'monitor_checks.availability',
      'retailers.distrusted_sources',
      'retailers.name',
      'retailers.held_notified_at',
    ])
    .where('retailers.id', '=', retailerId),
);

/** The effects of a shop's canary and of its sources' trust on a check. */
export interface ShopTrust {
  /** The checked watch is the canary itself: its offer is always in stock, so it never opens an alert. */
  isCanary: boolean;
  /** Why what a check sees decides nothing, as a sentence: the canary's last check saw no stock. Null when it counts. */
  held: string | null;
  /** Of the canary: whether its last check saw no stock, and whether the admins have been told. */
  wasUnwell: boolean;
  name: string;
  notifiedAt: string | null;
  /** The sources that cannot open an alert alone. */
  distrusted: SourceTrust[];
}

const TRUSTED: ShopTrust = {
  isCanary: false,
  held: null,
  wasUnwell: false,
  name: '',
  notifiedAt: null,
  distrusted: [],
};

/** Reads what the canary of a watch's shop, and the trust in its sources, mean for its check. A stopped or deleted canary means nothing. */
export async function readShopTrust(trx: Transaction, watch: Watch): Promise<ShopTrust> {
  if (watch.retailer_id === null) return TRUSTED;
  const [shop] = await selectShop(trx, { retailerId: watch.retailer_id });
  if (shop === undefined) return TRUSTED;
  const distrusted = readDistrusted(shop.distrusted_sources);
  if (shop.id === null) return { ...TRUSTED, distrusted };
  const isCanary = shop.id === watch.id;
  const wasUnwell = shop.availability !== null && !isBuyable(shop.availability);
  return {
    isCanary,
    held:
      !isCanary && shop.running === 1 && wasUnwell
        ? `Held back: the last check of ${shop.title}, which is always in stock, did not see that.`
        : null,
    wasUnwell,
    name: shop.name,
    notifiedAt: shop.held_notified_at,
    distrusted,
  };
}

/**
 * Tells the admins once that a shop's verdicts are held back, when its canary was seen without stock twice in a row, and
 * once when that is over. Returns the deliveries of the notice.
 */
export async function reportCanary(
  trx: Transaction,
  {
    watch,
    trust,
    product,
    adminContacts,
    now,
  }: {
    watch: Watch;
    trust: ShopTrust;
    product: ProductJudgement;
    adminContacts: AdminContacts;
    now: number;
  },
): Promise<Delivery[]> {
  if (!trust.isCanary) return [];
  const isUnwell = !isBuyable(product.availability);
  const isNews = isUnwell ? trust.wasUnwell && trust.notifiedAt === null : trust.notifiedAt !== null;
  if (!isNews) return [];
  const stamp = toIso(now);
  await trx
    .updateTable('retailers')
    .set({ held_notified_at: isUnwell ? stamp : null })
    .where('id', '=', watch.retailer_id)
    .execute();
  const notice = isUnwell
    ? {
        kind: 'silence_began' as const,
        title: `${trust.name}: all verdicts are held back`,
        body: `${watch.title} is always in stock, but its last checks did not see that: ${product.reason} The shop may have changed its pages. No alert of this shop opens or closes until a check sees it in stock again, or another product is chosen.`,
      }
    : {
        kind: 'silence_ended' as const,
        title: `${trust.name}: verdicts count again`,
        body: `A check saw ${watch.title} in stock.`,
      };
  const dedupeKey = `canary:${watch.id}:${isUnwell ? 'held' : 'over'}:${stamp}`;
  return addNotice(trx, { watchId: watch.id, dedupeKey, ...notice }, adminContacts, now);
}
