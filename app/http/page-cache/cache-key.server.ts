import type { IncomingMessage } from 'node:http';
import { encodeConsent } from '#shared/site/consent';
import { findConsent } from '../cookies/consent-cookie.server';
import { readCookies } from '../cookies/cookies.server';
import { PLAIN_SESSION_COOKIE, SESSION_COOKIE } from '../cookies/session-cookie.server';
import { parseTheme, THEME_COOKIE } from '../cookies/theme-cookie.server';
import type { PageVersions } from '../server/page-versions.server';

/** A page that is the same for all signed-out visitors. */
export interface PublicPage {
  path: RegExp;
  /** The id of its route: its file in app/, without the extension. */
  route: string;
  /** The search parameters that its loader reads. */
  parameters: readonly string[];
  /** Maximum age while the version stays the same. */
  freshMs: number;
  /** The version of its data. */
  readVersion(versions: PageVersions): Promise<string>;
}

const MAX_TARGET_LENGTH = 200;

function pathOf(target: string): string {
  const cut = target.indexOf('?');
  return cut === -1 ? target : target.slice(0, cut);
}

/** The public page that a request reads, or null. */
export function findPublicPage(
  pages: readonly PublicPage[],
  { method, url = '/' }: Pick<IncomingMessage, 'method' | 'url'>,
): PublicPage | null {
  if (method !== 'GET' && method !== 'HEAD') return null;
  const path = pathOf(url);
  return pages.find((page) => page.path.test(path)) ?? null;
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
 * All requests of one variant may get the same bytes. Null: the page must not be cached. This applies to a signed-in
 * user, to a target that is not in canonical form or has other parameters (the page repeats its address in its forms),
 * and to an unreadable consent cookie (its loader logs it). The variant contains decoded cookie values, so that one
 * client cannot fill the cache with copies of a page.
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

/** The cache key: variant and version. Null: not cached. The version is read before the page, so the page is never older. */
export async function cacheKey(
  versions: PageVersions,
  page: PublicPage,
  request: PageRequest,
): Promise<string | null> {
  const variant = await cacheVariant(page, request);
  return variant === null ? null : `${await page.readVersion(versions)}|${variant}`;
}
