import type { LoaderFunctionArgs } from '@remix-run/node';
import { formatMoney } from '#shared/money';
import type { Restock } from '#shared/products/reading/restocks';
import type { ListedProduct } from '#shared/products/offer';
import {
  durationWords,
  LIST,
  productPath,
  PRODUCTS_FEED_PATH,
  PRODUCTS_PATH,
} from '~/components/products/product-words';
import { serverContext } from '~/http/server/context.server';
import { withTextFailures } from '~/http/server/failures.server';
import { asHtml } from '~/routes/site/feeds/feed-text';
import { publicText } from '~/routes/site/public-text.server';
import { readProductSnapshot } from '~/routes/api/calls/public-products.server';
import { readRestockFeed } from './products.server';

/** How long it was available; empty while it is available, and when no check saw the end. */
function endWords({ kind, lastedSeconds, inStockAt }: Restock): string {
  if (lastedSeconds === null) return '';
  const lasted = durationWords(lastedSeconds);
  if (kind === 'restock') return ` It was gone after ${lasted}.`;
  return ` It could be pre-ordered for ${lasted}${inStockAt === null ? '' : ', until it came in stock'}.`;
}

/** An entry: what came back, where, for how much, and for how long. */
function entryOf(restock: Restock, { slug, title, offers }: ListedProduct, appUrl: string) {
  const { kind, price, openedAt, closedAt, watchId } = restock;
  const at = offers.find((offer) => offer.watchId === watchId)?.retailer.name ?? 'a retailer';
  const announced = kind === 'preorder' ? 'can be pre-ordered' : 'is back in stock';
  const asked = price === null ? 'At' : `${formatMoney(price)} at`;
  return {
    id: `urn:uuid:${restock.id}`,
    title: asHtml(`${title} ${announced} at ${at}`),
    link: appUrl + productPath(slug),
    published: new Date(openedAt),
    date: new Date(closedAt ?? openedAt),
    description: asHtml(`${asked} ${at}.${endWords(restock)}`),
  };
}

/** The newest restocks as an Atom feed, as the free audience sees them. */
export function loader({ request }: LoaderFunctionArgs) {
  return withTextFailures(async () => {
    const { appUrl } = serverContext().config;
    const { products } = await readProductSnapshot('free');
    const { restocks } = await readRestockFeed();
    const byWatch = new Map(
      products.flatMap((product) => product.offers.map(({ watchId }) => [watchId, product])),
    );
    const entries = restocks.flatMap((restock) => {
      const product = byWatch.get(restock.watchId);
      return product === undefined ? [] : [entryOf(restock, product, appUrl)];
    });
    const newest = entries.reduce((time, { date }) => Math.max(time, date.getTime()), 0);
    const { Feed } = await import('feed');
    const feed = new Feed({
      id: appUrl + PRODUCTS_PATH,
      title: LIST.feedTitle,
      description: LIST.description,
      link: appUrl + PRODUCTS_PATH,
      feed: appUrl + PRODUCTS_FEED_PATH,
      favicon: `${appUrl}/favicon.ico`,
      updated: new Date(newest),
      generator: false,
    });
    for (const entry of entries) feed.addItem(entry);
    return publicText(request, feed.atom1(), 'application/atom+xml');
  });
}
