import type { Audience } from '#shared/alerts/webhooks/webhooks';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { hiddenAlertsOf } from '#shared/monitor/head-start-masks';
import { settingsOf } from '#shared/monitor/monitor-settings';
import { findRoomWatch, listRoomWatches, readWatch } from '#shared/monitor/watches/watches';
import { isBuyable } from '#shared/products/offer';
import { readCheckHealth, type WatchHealth } from '#shared/status/check-health.server';
import { readOpeningTimes, type OpeningTimes } from '#shared/status/opening-times';
import { readPublicStatus, type PublicStatus } from '#shared/status/read-public-status';
import { STATUS_FRESH_MS } from '#shared/status/status-version.server';
import { loadOptional } from '~/http/server/failures.server';
import { readProductSnapshot } from '~/routes/api/calls/public-products.server';
import { serverContext } from '~/http/server/context.server';

/** The data of the status page. */
export interface StatusPage {
  status: PublicStatus;
  /** The watch whose opening times are shown. */
  selected: { slug: string; title: string };
  openings: OpeningTimes;
  /** Products are counted apart from waiting rooms; null: they could not be read. */
  products: { total: number; inStock: number; known: number } | null;
  /** When the status was read (ISO-8601). */
  now: string;
}

/** The checks of every watch, at most a minute old: their sums are the most expensive part of the status. */
function checkHealth(): Promise<ReadonlyMap<string, WatchHealth>> {
  const { db, clock, loaderCache } = serverContext();
  return loaderCache.get('check-health', async () => {
    const watchIds = (await listRoomWatches(db)).map(({ id }) => id);
    return readCheckHealth(db, { watchIds, now: clock.now() });
  });
}

/** The public status for `audience`. Requests within `STATUS_FRESH_MS` share a read, unless a visible state changes. */
export async function publicStatus(audience: Audience): Promise<PublicStatus> {
  const { db, pageVersions, loaderCache } = serverContext();
  const { now, status: version, masks } = await pageVersions.status(audience);
  const slot = Math.floor(now / STATUS_FRESH_MS);
  return loaderCache.get(`status|${audience}|${version}|${slot}`, async () =>
    readPublicStatus(db, { now, health: await checkHealth(), masks }),
  );
}

/** Counts the products, those in stock, and those whose state is known. */
async function countProducts(audience: Audience): Promise<{ total: number; inStock: number; known: number }> {
  const { products } = await readProductSnapshot(audience);
  return {
    total: products.length,
    inStock: products.filter(({ state }) => isBuyable(state)).length,
    known: products.filter(({ state }) => state !== 'unknown').length,
  };
}

/** The status page as `audience` may see it. `slug`: whose opening times; null: the default watch. Null: unknown watch. */
export async function readStatusPage(audience: Audience, slug: string | null): Promise<StatusPage | null> {
  const { db, pageVersions, loaderCache } = serverContext();
  const watch = slug === null ? await readWatch(db, DEFAULT_WATCH_ID) : await findRoomWatch(db, slug);
  if (watch === null) return null;
  const { now, status: version, masks } = await pageVersions.status(audience);
  const slot = Math.floor(now / STATUS_FRESH_MS);
  // One read for all parts of the page, so that they agree.
  return loaderCache.get(`status-page|${watch.id}|${audience}|${version}|${slot}`, async () => {
    const status = await publicStatus(audience);
    return {
      status,
      products: await loadOptional(() => countProducts(audience)),
      selected: { slug: watch.slug, title: watch.title },
      openings: await readOpeningTimes(db, {
        watchIds: [watch.id],
        ...settingsOf(watch),
        now,
        hidden: hiddenAlertsOf(masks),
      }),
      now: status.now,
    };
  });
}
