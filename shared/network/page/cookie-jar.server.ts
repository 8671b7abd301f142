import ipaddr from 'ipaddr.js';
import { Cookie, CookieJar } from 'tough-cookie';

/** Chromium's limits for a site (net/cookies/cookie_monster.h, cookie_options.h). */
const MAX_COOKIES = 180;
const MAX_COOKIE_BYTES = 4096;

/** The cookies of one visit: later requests send them back where RFC 6265 says. */
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
  let kept = 0;
  return {
    keep(url, setCookie) {
      for (const line of setCookie) {
        if (kept >= MAX_COOKIES || hasControlCharacter(line)) continue;
        const cookie = Cookie.parse(line, { loose: true });
        if (cookie === undefined || cookie.key.length + cookie.value.length > MAX_COOKIE_BYTES) continue;
        const stored = jarOf(url).setCookieSync(cookie, url.href, { ignoreError: true, http: true });
        if (stored !== undefined) kept += 1;
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
