import { isBuyable } from '#shared/monitor/checks/recording/decide-restock';
import type { ExpectedProduct, Judgement, ProductJudgement } from '#shared/monitor/checks/verdict';
import type { Visit } from '#shared/monitor/hosts/host-visits';
import type { Watch } from '#shared/monitor/watches/watches';
import { decodeEscapes } from '#shared/text';
import type { PageFetcher } from '../waiting-room/fetch/fetch-page';
import type { Judge } from './judge';

type Platform = Exclude<Watch['fetch_as'], 'page'>;

/** The name of a product in an address of its platform's shops, or null. */
function handleOf(path: string, platform: Platform): string | null {
  // shopify.dev/docs/api/ajax/reference/product; WooCommerce's permalinks end with the slug.
  const pattern = platform === 'shopify_json' ? /\/products\/([^/]+)\/?$/ : /\/([^/]+)\/?$/;
  return pattern.exec(path)?.[1] ?? null;
}

/**
 * The address of the JSON that a platform serves of a product page, or null when the page's address is none of its products:
 * Shopify's `/products/x.js`, or WooCommerce's Store API.
 */
export function platformAddress(pageUrl: string, platform: Watch['fetch_as']): string | null {
  const page = URL.parse(pageUrl);
  if (page === null || platform === 'page') return null;
  const handle = handleOf(page.pathname, platform);
  if (handle === null) return null;
  if (platform === 'shopify_json') {
    const name = handle.replace(/\.js(?:on)?$/, '');
    // A shop in another language has its products below it, such as /fr/products/x.
    const [folder = ''] = /^\/[a-z]{2}(?:-[a-z]{2})?(?=\/)/i.exec(page.pathname) ?? [];
    return new URL(`${folder}/products/${name}.js`, page).href;
  }
  const api = new URL('/wp-json/wc/store/v1/products', page);
  api.searchParams.set('slug', decodeEscapes(handle));
  return api.href;
}

/** The variant that an address names (`?variant=`), which the address of the JSON does not, or null. */
export function variantIn(pageUrl: string): string | null {
  const page = URL.parse(pageUrl);
  return page?.searchParams.get('variant') ?? page?.searchParams.get('variation_id') ?? null;
}

/** The product in a platform's JSON. */
export interface PlatformFinding {
  fetchAs: Platform;
  product: ProductJudgement;
  /** Whether the JSON and the page say the same: can be bought or not, and the price where both name one. */
  agrees: boolean;
}

/**
 * Looks whether a shop serves the JSON of a platform for a product page, and whether it agrees with the page. Null when there
 * is none. Makes a request for each platform that the address and robots.txt allow, Shopify's first, in the spacing of the
 * host, which `visit` visits.
 */
export async function findPlatform(
  {
    fetcher,
    judge,
    visit,
  }: {
    fetcher: PageFetcher;
    judge: Judge['judge'];
    visit: Pick<Visit, 'robotsRefusal' | 'onRequest' | 'waitForNext'>;
  },
  {
    pageUrl,
    page,
    expected,
    signal,
  }: { pageUrl: string; page: Judgement; expected: ExpectedProduct; signal: AbortSignal },
): Promise<PlatformFinding | null> {
  for (const fetchAs of ['shopify_json', 'woo_store_api'] as const) {
    const targetUrl = platformAddress(pageUrl, fetchAs);
    if (targetUrl === null || visit.robotsRefusal(targetUrl) !== null) continue;
    await visit.waitForNext(signal);
    const { onRequest } = visit;
    const outcome = await fetcher.fetch({ targetUrl, publicOnly: true, scrappey: null, onRequest, signal });
    if (outcome.answer.status !== 200) continue;
    const variantKey = expected.variantKey ?? variantIn(pageUrl);
    const { product } = await judge({ ...outcome, product: { ...expected, variantKey } });
    const isPlatform = product?.signs.some(({ source }) => source === 'platform') ?? false;
    if (product === undefined || !isPlatform || product.availability === 'unknown') continue;
    return { fetchAs, product, agrees: agrees(product, page.product) };
  }
  return null;
}

function agrees(json: ProductJudgement, page: ProductJudgement | undefined): boolean {
  if (page === undefined || page.availability === 'unknown') return false;
  if (isBuyable(json.availability) !== isBuyable(page.availability)) return false;
  return json.price === null || page.price === null || json.price.amount === page.price.amount;
}
