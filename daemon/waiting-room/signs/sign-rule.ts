import type { PageAnswer, Sign } from '#shared/monitor/checks/verdict';
import type { ParsedPage } from '../parse/parsed-page';
import type { ShopFacts } from '../parse/shop-facts';

/**
 * How `weighSigns` uses a sign:
 * - `certain`: a fact about the whole answer (its final address, a header, its JSON, its owner); nothing on the page
 *   overrides it
 * - `decisive`: machinery in the page; a page that is plainly the shop overrides it
 * - `supporting`: occurs in waiting rooms and elsewhere; it counts only together with other signs
 * - `words`: the page's wording; weakest
 * - `over`: a waiting room's own page on which no visitor waits
 * - `plain`: counts for what it points to
 */
export type SignRole = 'certain' | 'decisive' | 'supporting' | 'words' | 'over' | 'plain';

export interface FoundSign extends Sign {
  role: SignRole;
}

/** Whether a sign with this id was found. */
export function hasSign(signs: readonly FoundSign[], id: string): boolean {
  return signs.some((sign) => sign.id === id);
}

/** The input of every rule. */
export interface SignInput {
  answer: PageAnswer;
  page: ParsedPage;
  shop: ShopFacts;
  /** Names of the cookies that the answer sets, without those it deletes. */
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
  /** Source of the fact. */
  source: string;
  /** Returns the evidence as a short quotation, or null when the sign is absent. */
  find: (input: SignInput) => string | null;
}

type Common = Pick<SignRule, 'pointsTo' | 'role'>;

/** A table of signs. A row names only what differs from `common`. */
export function signRules(
  common: Common,
  rows: readonly (Omit<SignRule, keyof Common> & Partial<Common>)[],
): readonly SignRule[] {
  return rows.map((row) => ({ ...common, ...row }));
}

/** The first inline script that matches, quoted around the match. */
export function quoteScript({ page }: SignInput, pattern: RegExp): string | null {
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
export function findId({ page }: SignInput, ids: readonly string[]): string | null {
  const id = ids.find((one) => page.ids.has(one));
  return id === undefined ? null : `#${id}`;
}

/** The name of the first cookie with this prefix, never its value. */
export function findCookie({ cookies }: SignInput, prefix: string): string | null {
  const name = cookies.find((cookie) => cookie.toLowerCase().startsWith(prefix));
  return name === undefined ? null : `cookie ${name}`;
}

/** Names of the cookies that set-cookie headers set. An empty or long expired cookie is deleted, so it does not count. */
export function readCookieNames(header: string | string[] | undefined): string[] {
  const lines = (Array.isArray(header) ? header : [header ?? '']).flatMap((line) =>
    line.split(/\n|,(?=\s*[^\s;,=]+=)/),
  );
  return lines.flatMap((line) => {
    const match = /^\s*([^\s=;,]+)\s*=\s*("?)([^;]*)\2/.exec(line);
    const deleted = /max-age\s*=\s*(?:0|-\d+)\s*(?:;|$)|expires\s*=[^;=]*\b19[67]\d\b/i.test(line);
    return match?.[1] === undefined || match[3]?.trim() === '' || deleted ? [] : [match[1]];
  });
}
