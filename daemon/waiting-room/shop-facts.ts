import type { PageLink, ParsedPage } from './parse-page';
import { ACCOUNT, BASKET, BUY_BUTTON, PRICE, SIDE_MATTER } from './shop-words';
import { isSameOrganisation, parseAddress } from './web-address';

/** What a page visibly offers of an ordinary site. Counts, not yet an opinion. */
export interface ShopFacts {
  /** Different pages of the site linked from its navigation. */
  navigationLinks: number;
  /** Different pages of the site linked from anywhere but the footer, navigation included. */
  siteLinks: number;
  /** Different pages of the site linked from its footer, side matter included. */
  footerLinks: number;
  prices: number;
  buyButtons: number;
  basket: string | null;
  account: string | null;
  search: boolean;
  /** Letters of visible article text. */
  articleLength: number;
  /** Whether the page has a heading and some text below it. */
  hasContent: boolean;
}

const ENOUGH = 40;
/** With the page's own address unknown, these are still known to be others'. */
const SOCIAL =
  /(?:^|\.)(?:facebook|twitter|x|instagram|youtube|tiktok|discord|google|queue-it)\.(?:com|net|gg)$/;
const LANGUAGE_PATH = /^\/(?:[a-z]{2}(?:[-_][a-z]{2})?\/?)?$/i;

/** Reads a page's shop facts. `finalUrl` tells the site's own links from others; links elsewhere count for nothing. */
export function readShopFacts(page: ParsedPage, finalUrl: string): ShopFacts {
  const base = parseAddress(finalUrl);
  const navigation = new Set<string>();
  const everywhere = new Set<string>();
  const footer = new Set<string>();
  let basket: string | null = null;
  let account: string | null = null;
  for (const link of page.links) {
    const path = sitePath(link, base);
    if (path === null) continue;
    const called = `${path} ${link.text}`;
    if (link.inFooter) footer.add(path);
    if (BASKET.test(called)) basket ??= link.text || path;
    else if (ACCOUNT.test(called)) account ??= link.text || path;
    else if (!link.inFooter && !LANGUAGE_PATH.test(path) && !SIDE_MATTER.test(called)) {
      everywhere.add(path);
      if (link.inNavigation) navigation.add(path);
    }
  }
  return {
    navigationLinks: navigation.size,
    siteLinks: everywhere.size,
    footerLinks: footer.size,
    prices: countPrices(page.text),
    buyButtons: page.buttons.filter((label) => BUY_BUTTON.test(label)).length + buyLinks(page.links),
    basket,
    account,
    search: page.hasSearch,
    articleLength: page.articleLength,
    hasContent: page.headings.length > 0 && page.text.length >= 80,
  };
}

/** A link's path within the site (in lower case, decoded), or null for a link elsewhere or to nowhere. */
function sitePath({ href }: PageLink, base: URL | null): string | null {
  const address = href.trim();
  if (address === '' || address.startsWith('#') || /^(?:javascript|mailto|tel|data):/i.test(address))
    return null;
  const local = /^\/(?!\/)[^?#]*/.exec(address)?.[0];
  if (local !== undefined) return readable(local);
  const known = base !== null && base.hostname !== '';
  const url = parseAddress(address, known ? base.href : 'http://unknown.invalid/');
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  const host = known ? base.hostname : 'unknown.invalid';
  if (url.hostname === host) return readable(url.pathname);
  if (known ? !isSameOrganisation(url.hostname, host) : SOCIAL.test(url.hostname)) return null;
  return readable(`/${url.hostname}${url.pathname}`);
}

function readable(path: string): string {
  try {
    return decodeURIComponent(path).toLowerCase();
  } catch {
    return path.toLowerCase();
  }
}

function countPrices(text: string): number {
  let count = 0;
  PRICE.lastIndex = 0;
  while (count < ENOUGH && PRICE.exec(text) !== null) count += 1;
  return count;
}

function buyLinks(links: readonly PageLink[]): number {
  return links.filter((link) => link.text.length < 60 && /add-to-cart|add_to_cart/.test(link.href)).length;
}
