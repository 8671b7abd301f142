import type { IncomingMessage } from 'node:http';
import type { Kysely } from 'kysely';
import { SECOND } from '#shared/clock';
import { readContentVersion } from '#shared/content/content-version';
import type { Schema } from '#shared/database/schema';
import { readMonitorVersion } from '#shared/monitor/watches/watches';
import { readStatusVersion, STATUS_FRESH_MS } from '#shared/status/status-version.server';
import { encodeConsent } from '#shared/site/consent';
import { findConsent } from '../cookies/consent-cookie.server';
import { readCookies } from '../cookies/cookies.server';
import { PLAIN_SESSION_COOKIE, SESSION_COOKIE } from '../cookies/session-cookie.server';
import { parseTheme, THEME_COOKIE } from '../cookies/theme-cookie.server';
import { FRESH_MS } from '../server/loader-cache.server';

/** A page that is the same for all signed-out visitors. */
export interface PublicPage {
  path: RegExp;
  /** The id of its route: its file in app/, without the extension. */
  route: string;
  /** The search parameters that its loader reads. */
  parameters: readonly string[];
  /** Maximum age while the version stays the same. */
  freshMs: number;
  /** The version of its data that is not content. */
  readVersion?(db: Kysely<Schema>, now: number): Promise<string>;
}

/** Visitors of cached pages are the free audience. */
const readFreeStatusVersion = (db: Kysely<Schema>, now: number): Promise<string> =>
  readStatusVersion(db, { now, audience: 'free' });

/** The pages that visitors read most. */
export const PUBLIC_PAGES: readonly PublicPage[] = [
  // It shows times relative to now, and a daemon that dies bumps no version.
  {
    path: /^\/$/,
    route: 'routes/site/landing',
    parameters: [],
    freshMs: SECOND,
    readVersion: async (db, now) => `${await readMonitorVersion(db)}|${await readFreeStatusVersion(db, now)}`,
  },
  {
    path: /^\/status$/,
    route: 'routes/site/status',
    parameters: ['watch'],
    freshMs: STATUS_FRESH_MS,
    readVersion: readFreeStatusVersion,
  },
  {
    path: /^\/status\.json$/,
    route: 'routes/site/status-json',
    parameters: [],
    freshMs: STATUS_FRESH_MS,
    readVersion: readFreeStatusVersion,
  },
  // Open tabs fetch these two again and again.
  {
    path: /^\/live\/status\.json$/,
    route: 'routes/site/live/status-page',
    parameters: ['watch'],
    freshMs: STATUS_FRESH_MS,
    readVersion: readFreeStatusVersion,
  },
  {
    path: /^\/live\/restock\.json$/,
    route: 'routes/site/live/restock-page',
    parameters: ['watch'],
    freshMs: SECOND,
    readVersion: readFreeStatusVersion,
  },
  // All readers of the free message open its link, this page, at the same time.
  {
    path: /^\/restock\/[\w-]{1,64}$/,
    route: 'routes/site/restock',
    parameters: ['name', 'price', 'retailer', 'source'],
    freshMs: SECOND,
    readVersion: readFreeStatusVersion,
  },
  { path: /^\/developers$/, route: 'routes/site/developers', parameters: [], freshMs: FRESH_MS },
  { path: /^\/news$/, route: 'routes/site/news/news', parameters: ['page'], freshMs: FRESH_MS },
  { path: /^\/news\/[\w-]{1,64}$/, route: 'routes/site/news/article', parameters: [], freshMs: FRESH_MS },
];

const MAX_TARGET_LENGTH = 200;

function pathOf(target: string): string {
  const cut = target.indexOf('?');
  return cut === -1 ? target : target.slice(0, cut);
}

/** The public page that a request reads, or null. */
export function findPublicPage({
  method,
  url = '/',
}: Pick<IncomingMessage, 'method' | 'url'>): PublicPage | null {
  if (method !== 'GET' && method !== 'HEAD') return null;
  const path = pathOf(url);
  return PUBLIC_PAGES.find((page) => page.path.test(path)) ?? null;
}

/** The search reduced to the parameters that the page's loader reads, in canonical form. */
function searchOf(page: PublicPage, search: string): string {
  const parameters = new URLSearchParams(search);
  const read = page.parameters.flatMap((name) => {
    const value = parameters.get(name);
    return value === null ? [] : [[name, value]];
  });
  return read.length === 0 ? '' : `?${new URLSearchParams(read)}`;
}

/** The parts of a request that the bytes of a page depend on. */
export interface PageRequest {
  target: string;
  cookieHeader: string | undefined;
}

/**
 * All requests of one variant may get the same bytes. Null: the page must not be cached. That is so for a signed-in user,
 * for a target that is not in canonical form or has other parameters (the page repeats its address in its forms), and for
 * an unreadable consent cookie (its loader logs it). The variant contains decoded cookie values, so that one client cannot
 * fill the cache with copies of a page.
 */
export async function cacheVariant(
  page: PublicPage,
  { target, cookieHeader }: PageRequest,
): Promise<string | null> {
  if (target.length > MAX_TARGET_LENGTH) return null;
  const path = pathOf(target);
  const search = searchOf(page, target.slice(path.length));
  if (path + search !== target) return null;
  const cookies = readCookies(cookieHeader);
  if (cookies.has(SESSION_COOKIE) || cookies.has(PLAIN_SESSION_COOKIE)) return null;
  const { consent, broken } = findConsent(cookieHeader);
  if (broken) return null;
  return JSON.stringify([
    target,
    cookies.has(THEME_COOKIE) ? await parseTheme(cookieHeader ?? null) : 'system',
    consent === null ? null : encodeConsent(consent),
  ]);
}

/**
 * The cache key: variant and version of the data at `now` (epoch ms). Null: the page must not be cached. The version is read before the page
 * is rendered, so the bytes are never older than their key.
 */
export async function cacheKey(
  db: Kysely<Schema>,
  page: PublicPage,
  request: PageRequest,
  now: number,
): Promise<string | null> {
  const variant = await cacheVariant(page, request);
  if (variant === null) return null;
  const content = await readContentVersion(db);
  const rest = page.readVersion === undefined ? '' : await page.readVersion(db, now);
  return `${content}|${rest}|${variant}`;
}
