import ipaddr from 'ipaddr.js';
import { Cookie, CookieJar } from 'tough-cookie';

/** Chromium's limits for a site (net/cookies/cookie_monster.h, cookie_options.h). */
const MAX_COOKIES = 180;
const MAX_COOKIE_BYTES = 4096;

/** The cookies of one visit: later requests send them back where RFC 6265 says. The newest ones are kept. */
export interface VisitCookies {
  /** Stores what a response sets. Cookies that a browser refuses are left out. */
  keep(url: URL, setCookie: readonly string[]): void;
  /** The value of the Cookie header for a URL, or null. */
  cookiesFor(url: URL): string | null;
}

export function createVisitCookies(): VisitCookies {
  /** Ports share cookies (RFC 6265, section 8.5), except those of an IP address: these are unrelated services. */
  const jars = new Map<string, CookieJar>();
  const jarOf = ({ hostname, host }: URL): CookieJar => {
    const key = ipaddr.isValid(hostname.replace(/^\[(.*)\]$/, '$1')) ? host : '';
    // The public suffixes are part of the library.
    const jar = jars.get(key) ?? new CookieJar(undefined, { looseMode: true, rejectPublicSuffixes: true });
    jars.set(key, jar);
    return jar;
  };
  /** The cookies that are stored, oldest first. */
  const kept = new Map<string, { jar: CookieJar; cookie: Cookie }>();
  const remember = (jar: CookieJar, cookie: Cookie): void => {
    const { domain, path, key } = cookie;
    const id = JSON.stringify([domain, path, key]);
    kept.delete(id);
    kept.set(id, { jar, cookie });
    const [oldest] = kept;
    if (kept.size <= MAX_COOKIES || oldest === undefined) return;
    kept.delete(oldest[0]);
    const { domain: host, path: folder, key: name } = oldest[1].cookie;
    // The store is in memory: it removes the cookie before it calls back.
    oldest[1].jar.store.removeCookie(host, folder, name, () => undefined);
  };
  return {
    keep(url, setCookie) {
      for (const line of setCookie) {
        if (hasControlCharacter(line)) continue;
        const cookie = Cookie.parse(line, { loose: true });
        if (cookie === undefined || cookie.key.length + cookie.value.length > MAX_COOKIE_BYTES) continue;
        const jar = jarOf(url);
        const stored = jar.setCookieSync(cookie, url.href, { ignoreError: true, http: true });
        if (stored !== undefined) remember(jar, stored);
      }
    },
    cookiesFor(url) {
      const text = jarOf(url).getCookieStringSync(url.href, { http: true });
      return text === '' ? null : text;
    },
  };
}

/** A browser refuses a cookie with a control character other than a tab (RFC 6265bis, section 5.6). */
function hasControlCharacter(line: string): boolean {
  for (let at = 0; at < line.length; at += 1) {
    const code = line.charCodeAt(at);
    if ((code < 32 && code !== 9) || code === 127) return true;
  }
  return false;
}
