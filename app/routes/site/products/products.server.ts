import type { Audience } from '#shared/alerts/webhooks/webhooks';
import { SHOP_ZONE } from '#shared/monitor/monitoring-hours';
import {
  BASIC_DAYS,
  readPriceHistory,
  readRuns,
  type PriceRun,
} from '#shared/products/reading/price-history';
import { readProducts } from '#shared/products/reading/products';
import type { ListedProduct } from '#shared/products/offer';
import { readRestocks, usualSeconds, type Restock } from '#shared/products/reading/restocks';
import type { Shown } from '#shared/products/reading/shown-runs';
import { readVariants, type OfferVariant } from '#shared/products/reading/variants';
import { readOpeningTimes } from '#shared/status/opening-times';
import { drawPriceHistory, type PriceChart } from '~/components/products/chart-model';
import type { NamedRestock } from '~/components/products/product-head';
import type { VariantPrices } from '~/components/products/price-history';
import type { AdvancedHistory } from '~/components/products/price-section';
import { priceWords } from '~/components/products/product-words';
import { perProductsVersion } from '~/routes/api/calls/public-products.server';
import { sharePathOf } from '#shared/products/share-path.server';
import { serverContext } from '~/http/server/context.server';

const RETIRED = 'We no longer watch this product. Below is what we saw of it.';
/** So many restocks are in the feed. */
const RESTOCKS_IN_FEED = 30;

/** The newest restocks of all products, as the free audience sees them. */
export function readRestockFeed(): Promise<{ restocks: Restock[] }> {
  return perProductsVersion('restocks', 'free', async ({ now, shown }) => {
    const { db } = serverContext();
    const products = await readProducts(db, { now, shown });
    const watchIds = products.flatMap(({ offers }) => offers.map(({ watchId }) => watchId));
    return {
      restocks: (await readRestocks(db, { watchIds, hidden: shown.hiddenAlerts })).slice(0, RESTOCKS_IN_FEED),
    };
  });
}

/** The data of a product's page. */
export interface ProductPage {
  product: ListedProduct;
  /** What the page says instead of the state; null for a product that we watch. */
  notice: string | null;
  /** By the slug of the offer's watch. */
  variants: Record<string, OfferVariant[]>;
  alert: NamedRestock | null;
  /** The last restock that ended, else pre-order. */
  last: NamedRestock | null;
  /** The retailers at which stock comes and goes. */
  tricklingAt: string[];
  usualSeconds: number | null;
  history: PriceChart | null;
  lowestForDays: number | null;
  advanced: AdvancedHistory | null;
  sharePath: string;
  now: number;
}

/** The lowest and highest price of each variant in its runs, oldest first. */
function variantPrices(
  runs: readonly PriceRun[],
  variants: ReadonlyMap<string, OfferVariant[]>,
  nameOf: ReadonlyMap<string, string>,
): VariantPrices[] {
  return [...variants].flatMap(([watchId, listed]) =>
    listed.flatMap(({ key, name, price }): VariantPrices[] => {
      if (price === null) return [];
      const amounts = runs.flatMap((run) =>
        run.watchId === watchId && run.variantKey === key && run.price?.currency === price.currency
          ? [run.price.amount]
          : [],
      );
      const words = (amount: number) => priceWords({ ...price, amount });
      const all = [...amounts, price.amount];
      return [
        {
          retailer: nameOf.get(watchId) ?? '',
          name,
          now: priceWords(price),
          lowest: words(Math.min(...all)),
          highest: words(Math.max(...all)),
        },
      ];
    }),
  );
}

/** Finds the page of a product by its id, as `audience` may see it; `isPro`: with the advanced history. Null: there is none. */
export async function readProductPage(
  audience: Audience,
  { id, isPro }: { id: string; isPro: boolean },
): Promise<ProductPage | null> {
  const { page } = await perProductsVersion(`product|${id}|${isPro}`, audience, async (input) => ({
    page: await loadProductPage(id, { ...input, isPro }),
  }));
  return page;
}

async function loadProductPage(
  id: string,
  { now, shown, isPro }: { now: number; shown: Shown; isPro: boolean },
): Promise<ProductPage | null> {
  const { db } = serverContext();
  const [product] = await readProducts(db, { now, shown, id });
  if (product === undefined) return null;
  const watchIds = product.offers.map(({ watchId }) => watchId);
  const nameOf = new Map(product.offers.map(({ watchId, retailer }) => [watchId, retailer.name]));
  const offers = product.offers.map(({ watchId, retailer }) => ({ watchId, retailer: retailer.name }));
  const variants = await readVariants(db, { watchIds, shown, now });
  const restocks = (await readRestocks(db, { watchIds, hidden: shown.hiddenAlerts })).map((restock) => ({
    ...restock,
    retailer: nameOf.get(restock.watchId) ?? '',
  }));
  const ended = restocks.filter(({ isOpen }) => !isOpen);
  const leading = watchIds.slice(0, 1);
  const history = await readPriceHistory(db, { watchIds: leading, shown, now, days: BASIC_DAYS });
  const whole = isPro ? await readPriceHistory(db, { watchIds, shown, now, days: null }) : null;
  // One retailer for less than 30 days: the whole history is what the first chart shows.
  const isMore = watchIds.length > 1 || whole?.from !== history?.from;
  const drawn = (of: typeof history, ids: readonly string[]): PriceChart | null =>
    of === null
      ? null
      : drawPriceHistory(of, {
          offers: offers.filter(({ watchId }) => ids.includes(watchId)),
          alerts: restocks.filter(({ watchId }) => ids.includes(watchId)).map(({ openedAt }) => openedAt),
        });
  return {
    product,
    notice: product.retiredAt === null ? null : RETIRED,
    variants: Object.fromEntries(
      product.offers.flatMap(({ watch, watchId }) => {
        const listed = variants.get(watchId);
        return listed === undefined ? [] : [[watch, listed]];
      }),
    ),
    alert: restocks.find(({ isOpen }) => isOpen) ?? null,
    last: ended.find(({ kind }) => kind === 'restock') ?? ended[0] ?? null,
    tricklingAt: [
      ...new Set(restocks.flatMap(({ isTrickling, retailer }) => (isTrickling ? [retailer] : []))),
    ],
    usualSeconds: usualSeconds(restocks),
    history: drawn(history, leading),
    lowestForDays: history?.lowestForDays ?? null,
    advanced: isPro
      ? {
          chart: isMore ? drawn(whole, watchIds) : null,
          openings: await readOpeningTimes(db, {
            watchIds,
            timeZone: SHOP_ZONE,
            hours: { from: 0, to: 24 },
            now,
            hidden: shown.hiddenAlerts,
          }),
          variants: variantPrices(
            await readRuns(db, { watchIds, shown, now, days: null, variants: true }),
            variants,
            nameOf,
          ),
        }
      : null,
    sharePath: sharePathOf(product),
    now,
  };
}
