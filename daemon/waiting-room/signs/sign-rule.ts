import type { PageAnswer, Sign } from '#shared/monitor/checks/verdict';
import type { ParsedPage } from '../parse/parsed-page';
import type { ShopFacts } from '../parse/shop-facts';

/**
 * What a sign may do in the weighing:
 * - `certain`: a fact about the whole answer (where it ended, a header, its JSON, whose page it is); nothing on the
 *   page can undo it
 * - `decisive`: machinery found in the page; it yields to a page that is plainly the shop
 * - `supporting`: seen in rooms, but elsewhere too; it needs company
 * - `words`: what the page says; weakest
 * - `over`: a room's own page that holds nobody in line
 * - `plain`: counted for what it points to
 */
export type SignRole = 'certain' | 'decisive' | 'supporting' | 'words' | 'over' | 'plain';

export interface FoundSign extends Sign {
  role: SignRole;
}

/** Everything a rule may look at. */
export interface Seen {
  answer: PageAnswer;
  page: ParsedPage;
  shop: ShopFacts;
  /** Names of the cookies that the answer sets; those it deletes are left out. */
  cookies: readonly string[];
  /** The value of a header of the answer, or null. */
  header: (name: string) => string | null;
}

/** One row of the table of signs. */
export interface SignRule {
  id: string;
  pointsTo: Sign['pointsTo'];
  role: SignRole;
  weight: number;
  /** Where the fact comes from. */
  source: string;
  /** The evidence, as a short quotation, or null when the sign is not there. */
  find: (seen: Seen) => string | null;
}

/** The first inline script that matches, quoted around the match. */
export function quoteScript({ page }: Seen, pattern: RegExp): string | null {
  for (const script of page.scripts) {
    const match = pattern.exec(script);
    if (match !== null)
      return script.slice(Math.max(0, match.index - 20), match.index + match[0].length + 60);
  }
  return null;
}

/** The first address in a list that matches. */
export function findAddress(addresses: readonly string[], pattern: RegExp): string | null {
  return addresses.find((address) => pattern.test(address)) ?? null;
}

/** The first id that an element of the page carries, written as a selector. */
export function findId({ page }: Seen, ids: readonly string[]): string | null {
  const id = ids.find((one) => page.ids.has(one));
  return id === undefined ? null : `#${id}`;
}

/** The first of the cookies whose name starts so; never its value. */
export function findCookie({ cookies }: Seen, prefix: string): string | null {
  const name = cookies.find((cookie) => cookie.toLowerCase().startsWith(prefix));
  return name === undefined ? null : `cookie ${name}`;
}

/** Reads set-cookie headers for the names they set. A cookie that is emptied or long expired is being deleted. */
export function readCookieNames(header: string | string[] | undefined): string[] {
  const lines = (Array.isArray(header) ? header : [header ?? '']).flatMap((line) =>
    line.split(/\n|,(?=\s*[^\s;,=]+=)/),
  );
  return lines.flatMap((line) => {
    const match = /^\s*([^\s=;,]+)\s*=\s*("?)([^;]*)\2/.exec(line);
    const deleted = /max-age\s*=\s*(?:0|-\d+)\s*(?:;|$)|expires\s*=[^;]*\b19[67]\d\b/i.test(line);
    return match?.[1] === undefined || match[3]?.trim() === '' || deleted ? [] : [match[1]];
  });
}
