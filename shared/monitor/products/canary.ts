import { addNotice, type AdminContacts } from '../../alerts/admin-notices';
import type { Delivery } from '../../alerts/deliveries/deliveries';
import { toIso } from '../../clock';
import { prepareQuery } from '../../database/prepare-query';
import type { Transaction } from '../../database/schema';
import type { ProductJudgement } from '../checks/verdict';
import { isBuyable } from '../checks/recording/decide-restock';
import type { Watch } from '../watches/watches';

const selectCanary = prepareQuery((db, { retailerId }: { retailerId: string }) =>
  db
    .selectFrom('retailers')
    .innerJoin('watches', 'watches.id', 'retailers.canary_watch_id')
    .leftJoin('monitor_checks', 'monitor_checks.id', 'watches.last_check_id')
    .select([
      'watches.id',
      'watches.running',
      'watches.deleted_at',
      'monitor_checks.availability',
      'retailers.name',
      'retailers.held_notified_at',
    ])
    .where('retailers.id', '=', retailerId),
);

/** What the canary of a shop means for a check. */
export interface ShopTrust {
  /** The checked watch is the canary itself: its offer is always in stock, so it never opens an alert. */
  isCanary: boolean;
  /** The canary's last check saw no stock, so the shop's pages may have changed: what a check sees decides nothing. */
  isHeld: boolean;
  /** Of the canary: whether its last check saw no stock, and whether the admins have been told. */
  wasUnwell: boolean;
  name: string;
  notifiedAt: string | null;
}

const TRUSTED: ShopTrust = { isCanary: false, isHeld: false, wasUnwell: false, name: '', notifiedAt: null };

/** Reads what the canary of a watch's shop means for its check. A stopped or deleted canary means nothing. */
export async function readShopTrust(trx: Transaction, watch: Watch): Promise<ShopTrust> {
  if (watch.retailer_id === null) return TRUSTED;
  const [canary] = await selectCanary(trx, { retailerId: watch.retailer_id });
  if (canary === undefined || canary.deleted_at !== null) return TRUSTED;
  const isCanary = canary.id === watch.id;
  const wasUnwell = canary.availability !== null && !isBuyable(canary.availability);
  return {
    isCanary,
    isHeld: !isCanary && canary.running === 1 && wasUnwell,
    wasUnwell,
    name: canary.name,
    notifiedAt: canary.held_notified_at,
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
