import type { IncomingMessage } from 'node:http';
import type { Kysely } from 'kysely';
import { SECOND } from '#shared/clock';
import { readContentVersion } from '#shared/content/content-version';
import type { Schema } from '#shared/database/schema';
import { readMonitorVersion } from '#shared/monitor/watches';
import { encodeConsent } from '~/components/consent/consent';
import { findConsent } from '../cookies/consent-cookie.server';
import { readCookies } from '../cookies/cookies.server';
import { PLAIN_SESSION_COOKIE, SESSION_COOKIE } from '../cookies/session-cookie.server';
import { parseTheme, THEME_COOKIE } from '../cookies/theme-cookie.server';
import { FRESH_MS } from './loader-cache.server';

/** A page that is the same for every visitor who is not signed in. */
export interface PublicPage {
  path: RegExp;
  /** The search parameters that its loader reads. */
  parameters: readonly string[];
  /** How long it may be sent while nothing in the database has changed. */
  freshMs: number;
  /** The version of what it shows beside the content. */
  readVersion?(db: Kysely<Schema>): Promise<string>;
}

/** The pages that visitors read most. */
const PUBLIC_PAGES: readonly PublicPage[] = [
  // Its times are relative to now, and a daemon that dies bumps no version.
  { path: /^\/$/, parameters: [], freshMs: SECOND, readVersion: readMonitorVersion },
  { path: /^\/news$/, parameters: ['page'], freshMs: FRESH_MS },
  { path: /^\/news\/[\w-]{1,64}$/, parameters: [], freshMs: FRESH_MS },
];

const LONGEST_TARGET = 200;

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

/** The search with nothing but the parameters that the page's loader reads, in one spelling. */
function searchOf(page: PublicPage, given: string): string {
  const parameters = new URLSearchParams(given);
  const read = page.parameters.flatMap((name) => {
    const value = parameters.get(name);
    return value === null ? [] : [[name, value]];
  });
  return read.length === 0 ? '' : `?${new URLSearchParams(read)}`;
}

/** What a page's bytes depend on beside the data. */
export interface PageRequest {
  target: string;
  cookieHeader: string | undefined;
}

/**
 * Requests of one variant may be sent the same bytes; null: the page is for this visitor alone. A page's forms lead back
 * to its own address, so a target in another spelling, or with more than the loader reads, is for one visitor. So is a
 * page whose loader logs that the consent cookie is unreadable. The variant holds the meaning of a cookie, not its
 * spelling, so that one client cannot fill the cache with copies of one page.
 */
export async function cacheVariant(
  page: PublicPage,
  { target, cookieHeader }: PageRequest,
): Promise<string | null> {
  if (target.length > LONGEST_TARGET) return null;
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
 * The key of a page's bytes: its variant and the version of the data; null: the page is for this visitor alone. The
 * version is read before the page is rendered, so that bytes are never older than their key.
 */
export async function cacheKey(
  db: Kysely<Schema>,
  page: PublicPage,
  request: PageRequest,
): Promise<string | null> {
  const variant = await cacheVariant(page, request);
  if (variant === null) return null;
  const content = await readContentVersion(db);
  const rest = page.readVersion === undefined ? '' : await page.readVersion(db);
  return `${content}|${rest}|${variant}`;
}
