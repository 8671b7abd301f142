import { z } from 'zod';
import { hasHeadStart } from '#shared/accounts/profile';
import type { Audience } from '#shared/alerts/webhooks/webhooks';
import { DomainError } from '#shared/errors';
import { toMainUnit, type Money } from '#shared/money';
import { AVAILABILITIES, AVAILABILITY_DETAILS } from '#shared/monitor/checks/verdict';
import type { ListedProduct } from '#shared/products/offer';
import { filterProducts, MAX_SEARCH_LENGTH } from '#shared/products/reading/list-products';
import { BASIC_DAYS, readPriceHistory } from '#shared/products/reading/price-history';
import { findProductId, readProducts } from '#shared/products/reading/products';
import { readLastRestocks, readRestocks, type Restock } from '#shared/products/reading/restocks';
import { readShown } from '#shared/products/reading/shown-runs';
import { readVariants } from '#shared/products/reading/variants';
import { call } from '~/http/api/call.server';
import { countParameter } from '~/http/api/input.server';
import { findCaller } from '~/http/auth/access.server';
import { serverContext } from '~/http/server/context.server';
import { perProductsVersion, readProductSnapshot } from './public-products.server';

const MAX_PER_PAGE = 100;
const MAX_DAYS = 3_650;

const moneySchema = z
  .object({ amount: z.number().describe('In units of the currency: 49.99.'), currency: z.string() })
  .nullable();

const stateFields = {
  state: z.enum(AVAILABILITIES),
  detail: z.enum(AVAILABILITY_DETAILS).nullable(),
  price: moneySchema,
};

const restockFields = {
  openedAt: z.string(),
  closedAt: z.string().nullable(),
  lastedSeconds: z.number().nullable(),
  headStartSeconds: z.number().nullable().describe('By how much Pro members knew earlier, measured.'),
};

const productSchema = z
  .object({
    slug: z.string(),
    title: z.string(),
    brand: z.string().nullable(),
    gtin: z.string().nullable(),
    image: z.string().nullable().describe('The image of the product.'),
    state: z.enum(AVAILABILITIES).describe('The best of its offers.'),
    since: z.string().nullable(),
    price: moneySchema.describe('The lowest of the offers in that state.'),
    offers: z.array(
      z.object({
        watch: z.string(),
        retailer: z.string(),
        url: z.string(),
        ...stateFields,
        since: z.string().nullable(),
        lastCheck: z.string().nullable(),
        discontinuedAt: z.string().nullable().describe('Since when the retailer no longer sells it.'),
        variants: z.array(
          z.object({ key: z.string(), name: z.string(), state: z.enum(AVAILABILITIES), price: moneySchema }),
        ),
      }),
    ),
    lastRestock: z.object(restockFields).nullable(),
    retiredAt: z.string().nullable().describe('Since when we no longer watch it. It is not in lists then.'),
  })
  .meta({ id: 'Product' });

type ProductRecord = z.output<typeof productSchema>;

const restockExample = {
  openedAt: '2026-11-20T14:02:11.000Z',
  closedAt: '2026-11-20T14:08:12.000Z',
  lastedSeconds: 361,
  headStartSeconds: 30.2,
};

const productExample: ProductRecord = {
  slug: 'ember-hollow-elite-trainer-box',
  title: 'Ember Hollow Elite Trainer Box',
  brand: 'Tanglewood',
  gtin: '5012345678900',
  image: 'https://packwatch.example/uploads/c81d5e3a-4f7b-4a92-b6e0-7d3f1c9a2b58/960.webp',
  state: 'in_stock',
  since: '2026-11-27T14:02:11.000Z',
  price: { amount: 49.99, currency: 'GBP' },
  offers: [
    {
      watch: 'ember-hollow-elite-trainer-box-at-tanglewood-cards',
      retailer: 'Tanglewood Cards',
      url: 'https://cards.example/products/ember-hollow-elite-trainer-box',
      state: 'in_stock',
      detail: null,
      price: { amount: 49.99, currency: 'GBP' },
      since: '2026-11-27T14:02:11.000Z',
      lastCheck: '2026-11-27T14:04:11.000Z',
      discontinuedAt: null,
      variants: [],
    },
  ],
  lastRestock: restockExample,
  retiredAt: null,
};

const moneyOf = (price: Money | null) => (price === null ? null : toMainUnit(price));

const restockOf = ({ openedAt, closedAt, lastedSeconds, headStartSeconds }: Restock) => ({
  openedAt,
  closedAt,
  lastedSeconds,
  headStartSeconds,
});

/** The records of products with their variants and last restocks. At most a hundred. */
function readRecords(
  name: string,
  audience: Audience,
  products: readonly ListedProduct[],
): Promise<{ records: ProductRecord[] }> {
  return perProductsVersion(`api|${name}`, audience, async ({ now, shown }) => {
    const { db, config } = serverContext();
    const watchIds = products.flatMap(({ offers }) => offers.map(({ watchId }) => watchId));
    const variants = await readVariants(db, { watchIds, shown, now });
    const restocks = await readLastRestocks(db, { watchIds, hidden: shown.hiddenAlerts });
    return {
      records: products.map((product): ProductRecord => {
        const { slug, title, brand, gtin, image, state, since, price, offers, retiredAt } = product;
        const last = restocks.find(({ watchId }) => offers.some((offer) => offer.watchId === watchId));
        return {
          slug,
          title,
          brand,
          gtin,
          image: image === null ? null : config.appUrl + image.path,
          state,
          since,
          price: moneyOf(price),
          offers: offers.map(({ watchId, retailer, price: asked, lastSeen: _seen, ...offer }) => ({
            ...offer,
            retailer: retailer.name,
            price: moneyOf(asked),
            variants: (variants.get(watchId) ?? []).map((variant) => ({
              ...variant,
              price: moneyOf(variant.price),
            })),
          })),
          lastRestock: last === undefined ? null : restockOf(last),
          retiredAt,
        };
      }),
    };
  });
}

/** Who reads: callers with Pro see stock at once. */
async function readerOf(request: Request): Promise<{ isPro: boolean; audience: Audience }> {
  const viewer = await findCaller(request);
  const isPro = viewer !== null && hasHeadStart(viewer);
  return { isPro, audience: isPro ? 'instant' : 'free' };
}

function unknownProduct(): DomainError {
  return new DomainError('NotFound', { code: 'unknown_product', message: 'There is no such product.' });
}

/** Finds a product by its slug as `audience` may see it. Throws `NotFound` (`unknown_product`). */
async function requireProduct(slug: string, audience: Audience): Promise<ListedProduct> {
  const found = await findProductId(serverContext().db, slug);
  if (found === null) throw unknownProduct();
  const { products } = await perProductsVersion(`api|product|${found.id}`, audience, async (input) => ({
    products: await readProducts(serverContext().db, { ...input, id: found.id }),
  }));
  const [product] = products;
  if (product === undefined) throw unknownProduct();
  return product;
}

const slugParams = z.object({ slug: z.string().max(64) });
const path = '/api/products/{slug}';

/** The public calls about products. */
export const productCalls = {
  'GET /api/products': call({
    id: 'listProducts',
    summary: 'Lists the products',
    description:
      'What can be bought comes first, what came back last at its head. Callers with Pro see stock at once, others 30 seconds later. A page past the end is empty.',
    access: 'public',
    query: z.object({
      state: z.enum(AVAILABILITIES).optional().describe('`in_stock` includes `limited`.'),
      retailer: z.string().max(MAX_SEARCH_LENGTH).optional().describe('The name or the host of a retailer.'),
      q: z
        .string()
        .max(MAX_SEARCH_LENGTH)
        .default('')
        .describe('Words of the title, the brand, the GTIN or the retailer.'),
      page: countParameter('page', { fallback: 1 }),
      limit: countParameter('limit', { max: MAX_PER_PAGE, fallback: 24 }),
    }),
    envelope: 'data',
    response: z.object({
      products: z.array(productSchema),
      page: z.number(),
      totalPages: z.number(),
      total: z.number(),
    }),
    example: { response: { products: [productExample], page: 1, totalPages: 1, total: 1 } },
    async run({ query: { state = null, retailer = null, q, page, limit }, request }) {
      const { audience } = await readerOf(request);
      const { products } = await readProductSnapshot(audience);
      const found = filterProducts(products, { state, retailer, q });
      const shown = found.slice((page - 1) * limit, page * limit);
      const name = JSON.stringify(['list', state, retailer, q, page, limit]);
      const { records } = await readRecords(name, audience, shown);
      return {
        products: records,
        page,
        totalPages: Math.ceil(found.length / limit),
        total: found.length,
      };
    },
  }),

  [`GET ${path}`]: call({
    id: 'readProduct',
    summary: 'Reads a product',
    description: 'With all its retailers and their variants.',
    access: 'public',
    params: slugParams,
    failures: [404],
    envelope: 'data',
    response: z.object({ product: productSchema }),
    example: { response: { product: productExample } },
    async run({ params: { slug }, request }) {
      const { audience } = await readerOf(request);
      const product = await requireProduct(slug, audience);
      const { records } = await readRecords(`one|${product.id}`, audience, [product]);
      const [record] = records;
      if (record === undefined) throw unknownProduct();
      return { product: record };
    },
  }),

  [`GET ${path}/prices`]: call({
    id: 'readPrices',
    summary: 'Reads the price history of a product',
    description: `At most a thousand runs of equal values, oldest first. More than ${BASIC_DAYS} days need Pro.`,
    access: 'public',
    params: slugParams,
    query: z.object({ days: countParameter('days', { max: MAX_DAYS, fallback: BASIC_DAYS }) }),
    failures: [403, 404],
    envelope: 'data',
    response: z.object({
      from: z.string().nullable().describe('The first check of the span; null: nothing was seen.'),
      lowest: moneySchema,
      highest: moneySchema,
      runs: z.array(
        z.object({
          watch: z.string(),
          retailer: z.string(),
          from: z.string(),
          to: z.string(),
          ...stateFields,
        }),
      ),
    }),
    example: {
      response: {
        from: '2026-10-28T14:00:00.000Z',
        lowest: { amount: 49.99, currency: 'GBP' },
        highest: { amount: 54.99, currency: 'GBP' },
        runs: [
          {
            watch: 'ember-hollow-elite-trainer-box-at-tanglewood-cards',
            retailer: 'Tanglewood Cards',
            from: '2026-11-27T14:02:11.000Z',
            to: '2026-11-27T14:04:11.000Z',
            state: 'in_stock',
            detail: null,
            price: { amount: 49.99, currency: 'GBP' },
          },
        ],
      },
    },
    async run({ params: { slug }, query: { days }, request }) {
      const { isPro, audience } = await readerOf(request);
      if (days > BASIC_DAYS && !isPro)
        throw new DomainError('Forbidden', {
          code: 'pro_required',
          message: `More than ${BASIC_DAYS} days of prices are for members with Pro.`,
        });
      const { id, offers } = await requireProduct(slug, audience);
      const { history } = await perProductsVersion(`api|prices|${id}|${days}`, audience, async (input) => ({
        history: await readPriceHistory(serverContext().db, {
          ...input,
          watchIds: offers.map(({ watchId }) => watchId),
          days,
        }),
      }));
      return {
        from: history?.from ?? null,
        lowest: moneyOf(history?.lowest ?? null),
        highest: moneyOf(history?.highest ?? null),
        runs: (history?.runs ?? []).flatMap(({ watchId, from, to, state, detail, price }) => {
          const offer = offers.find((one) => one.watchId === watchId);
          if (offer === undefined) return [];
          const { watch, retailer } = offer;
          return [{ watch, retailer: retailer.name, from, to, state, detail, price: moneyOf(price) }];
        }),
      };
    },
  }),

  [`GET ${path}/alerts`]: call({
    id: 'readRestocks',
    summary: 'Lists the last restocks of a product',
    description: 'The newest hundred, the newest first.',
    access: 'public',
    params: slugParams,
    failures: [404],
    envelope: 'data',
    response: z.object({
      alerts: z.array(
        z.object({
          watch: z.string(),
          retailer: z.string(),
          kind: z.enum(['restock', 'preorder']),
          price: moneySchema,
          ...restockFields,
        }),
      ),
    }),
    example: {
      response: {
        alerts: [
          {
            watch: 'ember-hollow-elite-trainer-box-at-tanglewood-cards',
            retailer: 'Tanglewood Cards',
            kind: 'restock',
            price: { amount: 49.99, currency: 'GBP' },
            ...restockExample,
          },
        ],
      },
    },
    async run({ params: { slug }, request }) {
      const { audience } = await readerOf(request);
      const { offers } = await requireProduct(slug, audience);
      const { db, clock } = serverContext();
      const { hiddenAlerts } = await readShown(db, { now: clock.now(), audience });
      const watchIds = offers.map(({ watchId }) => watchId);
      const restocks = await readRestocks(db, { watchIds, hidden: hiddenAlerts });
      return {
        alerts: restocks.flatMap((restock) => {
          const offer = offers.find(({ watchId }) => watchId === restock.watchId);
          if (offer === undefined) return [];
          const { watch, retailer } = offer;
          const { kind, price } = restock;
          return [{ watch, retailer: retailer.name, kind, price: moneyOf(price), ...restockOf(restock) }];
        }),
      };
    },
  }),
};
