import type { PageLink, ParsedPage } from './parsed-page';
import { ACCOUNT, BASKET, BUY_BUTTON, BUY_LINK, PLACEHOLDER, PRICE, SIDE_MATTER } from '../words/shop-words';
import { decodeLoosely, isSameOrganisation, parseAddress } from '../fetch/web-address';

/** The marks of an ordinary site on a page. Counts only; the signs judge them. */
export interface ShopFacts {
  /** Different pages of the site linked from its navigation. */
  navigationLinks: number;
  /** Different pages of the site linked from anywhere but the footer, navigation included. */
  siteLinks: number;
  /** Different pages of the site linked from outside the frame that its pages share. */
  ownLinks: number;
  /** Different pages of the site linked from its footer, including privacy, terms and the like. */
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
  /** Amount of content outside the frame. A bot wall never has `rich` content. */
  ownContent: 'none' | 'some' | 'rich';
  /** Letters of visible text outside the frame. */
  ownLength: number;
  /** Whether a form of the page adds to the basket or pays. */
  buyForm: boolean;
  posts: number;
  hasByline: boolean;
}

const ENOUGH = 40;
/** Always external hosts, also when the page's own address is unknown. */
const SOCIAL =
  /(?:^|\.)(?:facebook|twitter|x|instagram|youtube|tiktok|discord|google|queue-it)\.(?:com|net|gg)$/;
const LANGUAGE_PATH = /^\/(?:[a-z]{2}(?:[-_][a-z]{2})?\/?)?$/i;

/** Reads a page's shop facts. `finalUrl` distinguishes internal links from external ones, which do not count. */
export function readShopFacts(page: ParsedPage, finalUrl: string): ShopFacts {
  const base = parseAddress(finalUrl);
  const navigation = new Set<string>();
  const everywhere = new Set<string>();
  const footer = new Set<string>();
  const own = new Set<string>();
  let basket: string | null = null;
  let account: string | null = null;
  for (const link of page.links) {
    const path = sitePath(link, base);
    if (path === null) continue;
    const called = `${path} ${link.text}`;
    if (link.inFooter) footer.add(path);
    if (link.isOwn) own.add(path);
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
    ownLinks: own.size,
    footerLinks: footer.size,
    prices: countPrices(page.ownText),
    buyButtons: page.buttons.filter((label) => BUY_BUTTON.test(label)).length + buyLinks(page.links),
    basket,
    account,
    search: page.hasSearch,
    articleLength: page.articleLength,
    hasContent: page.headings.length > 0 && page.text.length >= 80,
    ownContent: rateOwnContent(page, own.size),
    ownLength: page.ownText.length,
    buyForm: page.formAddresses.some((address) => BUY_FORM.test(address)),
    posts: page.posts,
    hasByline: page.hasByline,
  };
}

const BUY_FORM =
  /\/(?:cart|basket|bag|trolley|checkout|warenkorb|panier|carrito|carrello|winkelwagen|koszyk)(?:[/?#.]|$)/i;
/** In letters. A bot wall or an app shell has only a few lines inside the shop's frame. */
const SOME_TEXT = 25;
const RICH_TEXT = 600;

function rateOwnContent(page: ParsedPage, links: number): ShopFacts['ownContent'] {
  if (page.ownText.length >= 10 * RICH_TEXT) return 'rich';
  const length = page.ownText.replace(PLACEHOLDER, '').trim().length;
  if (length >= RICH_TEXT || links >= 5 || (page.ownFields >= 2 && length >= SOME_TEXT)) return 'rich';
  const headed = length > 0 && page.ownHeadings > 0;
  const some = headed || length >= SOME_TEXT || links >= 2 || page.hasOwnImage || page.ownFields >= 2;
  return some ? 'some' : 'none';
}

/** A link's path within the site (lower case, decoded), or null for an external link or one without a target. */
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
  return decodeLoosely(path).toLowerCase();
}

function countPrices(text: string): number {
  let count = 0;
  PRICE.lastIndex = 0;
  while (count < ENOUGH && PRICE.exec(text) !== null) count += 1;
  return count;
}

function buyLinks(links: readonly PageLink[]): number {
  return links.filter(
    ({ text, href, isOwn }) =>
      (text.length < 60 && /add-to-cart|add_to_cart/.test(href)) || (isOwn && BUY_LINK.test(text)),
  ).length;
}
