import type { Kysely } from 'kysely';
import { SECOND } from '#shared/clock';
import { readContentRevision } from '#shared/content/content-revision';
import type { Schema } from '#shared/database/schema';
import { readMonitorStamp } from '#shared/monitor/monitor-stamp';
import { encodeConsent } from '~/components/consent/consent';
import { findConsent } from '../cookies/consent-cookie.server';
import { readCookies } from '../cookies/request-cookies.server';
import { PLAIN_SESSION_COOKIE, SESSION_COOKIE } from '../cookies/session-cookie.server';
import { parseTheme, THEME_COOKIE } from '../cookies/theme-cookie.server';
import { FRESH_MS } from './prepared-data.server';

/** A page that is the same for everybody who is not signed in. */
export interface PublicPage {
  path: RegExp;
  /** The id of its route: its file below app/, without the ending. */
  route: string;
  /** The search parameters that its loader reads. */
  parameters: readonly string[];
  /** How long it may be sent while nothing in the database has changed. */
  freshMs: number;
  /** What else than the content it shows. */
  readStamp?(db: Kysely<Schema>): Promise<string>;
}

/** The pages that visitors read most. */
const PUBLIC_PAGES: readonly PublicPage[] = [
  // Its times are relative to now, and the daemon may fall silent without a word.
  {
    path: /^\/$/,
    route: 'routes/site/landing',
    parameters: [],
    freshMs: SECOND,
    readStamp: readMonitorStamp,
  },
  { path: /^\/news$/, route: 'routes/site/news', parameters: ['page'], freshMs: FRESH_MS },
  { path: /^\/news\/[\w-]{1,64}$/, route: 'routes/site/article', parameters: [], freshMs: FRESH_MS },
];

export const PUBLIC_ROUTES: readonly string[] = PUBLIC_PAGES.map(({ route }) => route);

const LONGEST_TARGET = 200;

function pathOf(target: string): string {
  const cut = target.indexOf('?');
  return cut === -1 ? target : target.slice(0, cut);
}

/** The public page that a request's target names, or null. */
export function findPublicPage(target: string): PublicPage | null {
  const path = pathOf(target);
  return PUBLIC_PAGES.find((page) => page.path.test(path)) ?? null;
}

/** The search that a page's loader reads out of a given one, in its only spelling in the cache. */
function searchOf(page: PublicPage, given: string): string {
  const parameters = new URLSearchParams(given);
  const read = page.parameters.flatMap((name) => {
    const value = parameters.get(name);
    return value === null ? [] : [[name, value]];
  });
  return read.length === 0 ? '' : `?${new URLSearchParams(read)}`;
}

/**
 * Everything that a page's bytes depend on, but for the data: requests of the same variant may be sent the same bytes.
 * Null: they are made for this visitor alone. A page's forms lead back to its own address, so a target in another
 * spelling, or with more than the loader reads, is one of these. Of a cookie it holds what it means and not how it is
 * written, so that nobody can fill the cache with one page over and over.
 */
export async function variantOf(
  page: PublicPage,
  target: string,
  cookieHeader: string | undefined,
): Promise<string | null> {
  if (target.length > LONGEST_TARGET) return null;
  const path = pathOf(target);
  const search = searchOf(page, target.slice(path.length));
  if (path + search !== target) return null;
  const cookies = readCookies(cookieHeader);
  if (cookies.has(SESSION_COOKIE) || cookies.has(PLAIN_SESSION_COOKIE)) return null;
  const { consent } = findConsent(cookieHeader);
  return JSON.stringify([
    target,
    cookies.has(THEME_COOKIE) ? await parseTheme(cookieHeader ?? null) : 'system',
    consent === null ? null : encodeConsent(consent),
  ]);
}

/**
 * The key of a page's bytes: what was asked for, and the state of the data. Read before the page is rendered, so that
 * bytes are never older than their key says.
 */
export async function cacheKey(db: Kysely<Schema>, page: PublicPage, variant: string): Promise<string> {
  const revision = await readContentRevision(db);
  const stamp = page.readStamp === undefined ? '' : await page.readStamp(db);
  return `${revision}|${stamp}|${variant}`;
}
