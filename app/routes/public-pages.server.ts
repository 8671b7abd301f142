import { SECOND } from '#shared/clock';
import { STATUS_FRESH_MS } from '#shared/status/status-version.server';
import type { PublicPage } from '~/http/page-cache/cache-key.server';
import { FRESH_MS } from '~/http/server/loader-cache.server';
import type { PageVersions } from '~/http/server/page-versions.server';

const readContentVersion = async (versions: PageVersions): Promise<string> => `${await versions.content()}`;

/** Visitors of cached pages are the free audience. */
async function readStatusVersion(versions: PageVersions): Promise<string> {
  const { content, status } = await versions.status('free');
  return `${content}|${status}`;
}

async function readProductsVersion(versions: PageVersions): Promise<string> {
  const { content, products } = await versions.status('free');
  return `${content}|${products}`;
}

/** For a page about a waiting room or a product. */
async function readRestockVersion(versions: PageVersions): Promise<string> {
  const { content, products, status } = await versions.status('free');
  return `${content}|${products}|${status}`;
}

async function readMonitorVersion(versions: PageVersions): Promise<string> {
  const { content, status, monitor } = await versions.status('free');
  return `${content}|${monitor}|${status}`;
}

/** The most visited pages, which the page cache serves. */
export const PUBLIC_PAGES: readonly PublicPage[] = [
  // It shows relative times, and a crashed daemon does not bump the version.
  {
    path: /^\/$/,
    route: 'routes/site/landing',
    parameters: [],
    freshMs: SECOND,
    readVersion: readMonitorVersion,
  },
  {
    path: /^\/status$/,
    route: 'routes/site/status',
    parameters: ['watch'],
    freshMs: STATUS_FRESH_MS,
    readVersion: readStatusVersion,
  },
  {
    path: /^\/status\.json$/,
    route: 'routes/site/status-json',
    parameters: [],
    freshMs: STATUS_FRESH_MS,
    readVersion: readStatusVersion,
  },
  // Open tabs fetch these two again and again.
  {
    path: /^\/live\/status\.json$/,
    route: 'routes/site/live/status-page',
    parameters: ['watch'],
    freshMs: STATUS_FRESH_MS,
    readVersion: readStatusVersion,
  },
  {
    path: /^\/live\/restock\.json$/,
    route: 'routes/site/live/restock-page',
    parameters: ['watch'],
    freshMs: SECOND,
    readVersion: readStatusVersion,
  },
  // All readers of the free message open its link, this page, at the same time.
  {
    path: /^\/restock\/[\w-]{1,64}$/,
    route: 'routes/site/restock',
    parameters: ['name', 'price', 'retailer', 'source'],
    freshMs: SECOND,
    readVersion: readRestockVersion,
  },
  {
    path: /^\/restock$/,
    route: 'routes/site/products/products',
    parameters: ['q', 'state', 'retailer', 'page'],
    freshMs: STATUS_FRESH_MS,
    readVersion: readProductsVersion,
  },
  {
    path: /^\/developers$/,
    route: 'routes/site/developers',
    parameters: [],
    freshMs: FRESH_MS,
    readVersion: readContentVersion,
  },
  {
    path: /^\/news$/,
    route: 'routes/site/news/news',
    parameters: ['page'],
    freshMs: FRESH_MS,
    readVersion: readContentVersion,
  },
  {
    path: /^\/news\/[\w-]{1,64}$/,
    route: 'routes/site/news/article',
    parameters: [],
    freshMs: FRESH_MS,
    readVersion: readContentVersion,
  },
];
