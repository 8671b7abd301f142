import type { Audience } from '#shared/alerts/webhooks/webhooks';
import { MINUTE } from '#shared/clock';
import type { ListedProduct } from '#shared/products/offer';
import { readProducts } from '#shared/products/reading/products';
import { readShown, type Shown } from '#shared/products/reading/shown-runs';
import { STATUS_FRESH_MS } from '#shared/status/status-version.server';
import { serverContext } from '~/http/server/context.server';

/** Loads data about products once per version of what `audience` sees, and at least every `STATUS_FRESH_MS`. */
export async function perProductsVersion<Data extends object>(
  name: string,
  audience: Audience,
  load: (input: { now: number; shown: Shown }) => Promise<Data>,
): Promise<Data> {
  const { db, pageVersions, loaderCache } = serverContext();
  const { now, products: version } = await pageVersions.status(audience);
  const slot = Math.floor(now / STATUS_FRESH_MS);
  return loaderCache.get(`${name}|${audience}|${version}|${slot}`, async () =>
    load({ now, shown: await readShown(db, { now, audience }) }),
  );
}

/** All products at one time. */
export interface ProductSnapshot {
  /** Epoch ms, in whole minutes: for a minute, all processes send the same page. */
  now: number;
  products: readonly ListedProduct[];
}

/** All products as `audience` may see them. Lists, searches and feeds share a read. */
export function readProductSnapshot(audience: Audience): Promise<ProductSnapshot> {
  return perProductsVersion('products', audience, async ({ now, shown }) => ({
    now: now - (now % MINUTE),
    products: await readProducts(serverContext().db, { now, shown }),
  }));
}
