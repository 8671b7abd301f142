import { parse } from 'cookie';

/** The cookies of a Cookie header, by name, still encoded; of a repeated one the first counts, as for Remix. */
export function readCookies(header: string | null | undefined): ReadonlyMap<string, string> {
  const cookies = new Map(Object.entries(parse(header ?? '', { decode: String })));
  cookies.delete('');
  return cookies;
}
