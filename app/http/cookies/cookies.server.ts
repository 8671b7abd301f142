import { parse } from 'cookie';
import { serverContext } from '../server/context.server';

/** The cookies of a Cookie header by name, not decoded. The first of a repeated name counts, as in Remix. */
export function readCookies(header: string | null | undefined): ReadonlyMap<string, string> {
  const cookies = new Map(Object.entries(parse(header ?? '', { decode: String })));
  cookies.delete('');
  return cookies;
}

/** Whether browsers reach the site over https (APP_URL); session and sign-in cookies are Secure then. */
export function hasSecureCookies(): boolean {
  return serverContext().config.appUrl.startsWith('https:');
}
