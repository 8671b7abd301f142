import type { LoaderFunctionArgs } from '@remix-run/node';
import { listArticleStamps } from '#shared/news/list-articles';
import { escapeHtml } from '#shared/text';
import { newsPath } from '~/components/site/site-links';
import { productPath, PRODUCTS_PATH } from '~/components/products/product-words';
import { readProductSnapshot } from '~/routes/api/calls/public-products.server';
import { newsIsOn } from '../site-state.server';
import { withTextFailures, textResponse } from '~/http/server/failures.server';
import { publicText } from '~/routes/site/public-text.server';
import { serverContext } from '~/http/server/context.server';

/** Maximum addresses of a sitemap (sitemaps.org/protocol.html, "Using Sitemap index files"). */
const SITEMAP_LIMIT = 50_000;

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

interface SitemapEntry {
  /** From the site's root. */
  path: string;
  /** ISO-8601 UTC; null: unknown. */
  modifiedAt: string | null;
}

function xml(
  list: 'urlset' | 'sitemapindex',
  item: 'url' | 'sitemap',
  appUrl: string,
  entries: readonly SitemapEntry[],
) {
  const items = entries.map(({ path, modifiedAt }) => {
    const modified = modifiedAt === null ? '' : `<lastmod>${modifiedAt}</lastmod>`;
    return `<${item}><loc>${escapeHtml(appUrl + path)}</loc>${modified}</${item}>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${list} xmlns="${NAMESPACE}">\n${items.join('')}</${list}>\n`;
}

/**
 * The sitemap of these pages as XML. `part` null: `/sitemap.xml`, which lists the pages or, if they exceed the limit, the
 * parts. Otherwise `/sitemap.xml?part=N`, from 1. Returns null for a part that does not exist.
 */
function sitemap(entries: readonly SitemapEntry[], part: number | null, appUrl: string): string | null {
  const parts = Math.ceil(entries.length / SITEMAP_LIMIT);
  if (part === null) {
    if (parts <= 1) return xml('urlset', 'url', appUrl, entries);
    const files = Array.from({ length: parts }, (_, at) => ({
      path: `/sitemap.xml?part=${at + 1}`,
      modifiedAt: null,
    }));
    return xml('sitemapindex', 'sitemap', appUrl, files);
  }
  if (part > parts) return null;
  return xml('urlset', 'url', appUrl, entries.slice((part - 1) * SITEMAP_LIMIT, part * SITEMAP_LIMIT));
}

/** The news list and its articles; empty while the news section is off. */
async function newsEntries(): Promise<SitemapEntry[]> {
  if (!(await newsIsOn())) return [];
  const stamps = await listArticleStamps(serverContext().db);
  const newest = stamps
    .map(({ modifiedAt }) => modifiedAt)
    .reduce((one, other) => (one > other ? one : other), '');
  return [
    { path: newsPath(1), modifiedAt: newest === '' ? null : newest },
    ...stamps.map(({ id, modifiedAt }) => ({ path: `/news/${encodeURIComponent(id)}`, modifiedAt })),
  ];
}

/** The list of products and their pages. */
async function productEntries(): Promise<SitemapEntry[]> {
  const { products } = await readProductSnapshot('free');
  return [
    { path: PRODUCTS_PATH, modifiedAt: null },
    ...products.map(({ slug, since }) => ({ path: productPath(slug), modifiedAt: since })),
  ];
}

/** All pages for search engines. */
export function loader({ request }: LoaderFunctionArgs) {
  return withTextFailures(() => answerSitemap(request));
}

async function answerSitemap(request: Request): Promise<Response> {
  const part = new URL(request.url).searchParams.get('part');
  const missing = textResponse('There is no such part of the sitemap.', 404);
  if (part !== null && !/^[1-9]\d{0,5}$/.test(part)) return missing;
  const entries = [
    ...['/', '/status', '/developers', '/privacy', '/terms'].map((path) => ({ path, modifiedAt: null })),
    ...(await newsEntries()),
    ...(await productEntries()),
  ];
  const text = sitemap(entries, part === null ? null : Number(part), serverContext().config.appUrl);
  return text === null ? missing : publicText(request, text, 'application/xml');
}
