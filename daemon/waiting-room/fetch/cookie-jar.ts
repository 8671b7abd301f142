/** Cookies for the length of one fetch: what a hop sets goes back to the same host on later hops. */
export interface CookieJar {
  keep(url: URL, setCookie: string | string[] | undefined): void;
  /** The value of a cookie header for this address, or null. */
  cookiesFor(url: URL): string | null;
}

export function createCookieJar(): CookieJar {
  const hosts = new Map<string, Map<string, string>>();
  return {
    keep(url, setCookie) {
      const cookies = hosts.get(url.host) ?? new Map<string, string>();
      hosts.set(url.host, cookies);
      for (const line of [setCookie ?? []].flat()) {
        const match = /^\s*([^\s=;]+)=([^;]*)/.exec(line);
        if (match?.[1] === undefined) continue;
        if (/max-age\s*=\s*(?:0|-\d+)\s*(?:;|$)/i.test(line)) cookies.delete(match[1]);
        else cookies.set(match[1], match[2] ?? '');
      }
    },
    cookiesFor(url) {
      const cookies = hosts.get(url.host);
      if (cookies === undefined || cookies.size === 0) return null;
      return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    },
  };
}
