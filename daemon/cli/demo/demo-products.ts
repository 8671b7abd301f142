import { DomainError } from '#shared/errors';
import { startMonitoring } from '#shared/monitor/start-stop';
import type { WatchContext } from '#shared/monitor/watches/add-watch.server';
import { NEW_WATCH } from '#shared/monitor/watches/watch-fields';
import { watchOperations } from '#shared/monitor/watches/watch-operations';
import { runOperation } from '../run-operation';
import { OPERATOR } from '../terminal';

const RETAILER = 'Tanglewood Cards';
const BRAND = 'Hollow Press';
/** Products of the sandbox's shop: one in stock, one out of stock, one to pre-order. */
const PRODUCTS = [
  { slug: 'ember-hollow-booster-box', title: 'Ember Hollow booster box (24 packs)' },
  { slug: 'ember-hollow-collector-chest', title: 'Ember Hollow collector chest' },
  { slug: 'winter-lantern-tin', title: 'Winter Lantern gift tin' },
] as const;
/** The shortest interval of a product, so that a change in the sandbox's panel is soon seen. */
const INTERVAL_SECONDS = 30;

/**
 * Adds watches of products that the sandbox's shop sells, and starts them. Products that are watched stay as they are.
 * @param shopUrl an address of the shop
 * @returns a sentence for each product that was added, or that cannot be added
 */
export async function addDemoProducts(context: WatchContext, shopUrl: string): Promise<string[]> {
  const said: string[] = [];
  for (const { slug, title } of PRODUCTS) {
    try {
      const { result: watch } = await runOperation(watchOperations.add, context, {
        kind: 'product',
        url: new URL(`/products/${slug}`, shopUrl).href,
        shop: RETAILER,
        title,
        brand: BRAND,
        imageUrl: new URL(`/images/${slug}.png`, shopUrl).href,
        timeZone: NEW_WATCH.product.timeZone,
        intervalSeconds: INTERVAL_SECONDS,
      });
      await startMonitoring(context.db, { actor: OPERATOR, clock: context.clock, watchId: watch.id });
      said.push(`${title} is watched.`);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (error.code !== 'already_watched') said.push(`${title} is not watched: ${error.message}`);
    }
  }
  return said;
}
