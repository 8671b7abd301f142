import { findAddress, signRules, type SignInput } from './sign-rule';
import { READING_LENGTH } from '../parse/walk-page';
import { answersQuestions } from '../words/waiting-words';
import {
  CONNECT,
  ERROR_PAGE,
  FAILURE,
  GO_ONLINE,
  MAINTENANCE,
  NETWORK_PORTAL,
  PARKED_DOMAIN,
} from '../words/shop-words';
import { isSameOrganisation, organisationOf, parseAddress } from '../fetch/web-address';

/** Domain traders use the bare domain name as the heading of a parked domain. */
const HOST_NAME = /^(?:www\.)?[a-z0-9-]{2,63}\.(?:com|net|org|shop|store|co\.uk|uk|de|fr|eu|io|info|biz|jp)$/;

/**
 * Signs of an ordinary page, and of pages in its place (maintenance, errors, parked domains). The weights of shop signs
 * add up; a sum of `OPEN_ENOUGH` makes an ordinary page.
 */
export const SHOP_SIGNS = signRules({ pointsTo: 'open', role: 'plain' }, [
  {
    id: 'shop-navigation',
    weight: 35,
    source: 'Ordinary pages link to several other pages of the site',
    find: ({ shop }) => {
      if (shop.navigationLinks >= 3) return `${shop.navigationLinks} pages linked from the navigation`;
      return shop.siteLinks >= 6 ? `${shop.siteLinks} pages of the site linked` : null;
    },
  },
  {
    id: 'shop-wide-navigation',
    weight: 15,
    source: 'A waiting room does not link to a whole catalogue',
    find: ({ shop }) =>
      shop.navigationLinks >= 6 || shop.siteLinks >= 12 ? `${shop.siteLinks} pages linked` : null,
  },
  {
    id: 'shop-products',
    weight: 60,
    source: 'Products: several prices beside links, or a price beside a button to buy',
    find: ({ shop }) => {
      const listed = shop.prices >= 2 && (shop.siteLinks >= 2 || shop.basket !== null);
      const offered = shop.prices >= 1 && (shop.buyButtons >= 1 || shop.buyForm);
      return listed || offered ? `${shop.prices} prices, ${shop.buyButtons} buttons to buy` : null;
    },
  },
  {
    id: 'shop-price',
    weight: 30,
    source: 'A price and links to other pages; a waiting room may show the price of its product',
    find: ({ shop }) => (shop.prices >= 1 && shop.siteLinks >= 2 ? `${shop.prices} prices` : null),
  },
  {
    id: 'shop-basket',
    weight: 20,
    source: "A link to the visitor's basket",
    find: ({ shop }) => shop.basket,
  },
  {
    id: 'shop-search',
    weight: 15,
    source: 'A field to search the site',
    find: ({ shop }) => (shop.search ? 'search field' : null),
  },
  {
    id: 'shop-account',
    weight: 10,
    source: "A link to the visitor's own account",
    find: ({ shop }) => shop.account,
  },
  {
    id: 'shop-footer',
    weight: 15,
    source: 'Navigation above and a footer of links below are the frame of an ordinary page',
    find: ({ shop }) =>
      shop.footerLinks >= 2 && shop.navigationLinks >= 3
        ? `${shop.footerLinks} pages linked from the footer`
        : null,
  },
  {
    id: 'shop-article',
    weight: 25,
    source: 'An article of a sentence or more',
    find: ({ shop }) => (shop.articleLength >= 80 ? `article of ${shop.articleLength} letters` : null),
  },
  {
    id: 'shop-long-article',
    weight: 30,
    source: 'An article for reading under its heading makes an ordinary page',
    find: ({ shop, page }) =>
      shop.articleLength >= READING_LENGTH && page.headings.length > 0 ? (page.headings[0] ?? null) : null,
  },
  {
    id: 'shop-content',
    weight: 15,
    source: 'A heading with text below it, within navigation',
    find: ({ shop, page }) =>
      shop.hasContent && (shop.navigationLinks >= 3 || shop.siteLinks >= 6 || linksOn({ shop, page }))
        ? (page.headings[0] ?? null)
        : null,
  },
  {
    id: 'shop-links',
    weight: 35,
    source: 'A page that links on to several other pages of the site, without marking them as navigation',
    find: ({ shop, page }) =>
      shop.navigationLinks < 3 && shop.siteLinks < 6 && linksOn({ shop, page })
        ? `${shop.siteLinks} pages of the site linked`
        : null,
  },
  {
    id: 'shop-listing',
    weight: 20,
    source: 'A listing: several pages linked from the content, with pictures',
    find: ({ shop, page }) =>
      shop.ownLinks >= 3 && page.hasOwnImage ? `${shop.ownLinks} pages linked from the content` : null,
  },
  {
    id: 'shop-help',
    weight: 50,
    source: 'A help page or a list of questions with its answers',
    find: ({ shop, page }) =>
      answersQuestions(page) && shop.ownLength >= 200 ? (page.headings[0] ?? page.title) : null,
  },
  {
    id: 'shop-small',
    weight: 30,
    source: 'A basket beside a page of the site or a price: a whole shop, however small',
    find: ({ shop }) =>
      shop.basket !== null && (shop.siteLinks >= 1 || shop.prices >= 1) && shop.ownContent !== 'none'
        ? shop.basket
        : null,
  },
  {
    id: 'shop-discussion',
    weight: 40,
    source: 'Comments or posts by several people belong to a page of the site',
    find: ({ shop }) =>
      shop.posts >= 2 && (shop.siteLinks >= 2 || shop.account !== null) ? `${shop.posts} posts` : null,
  },
  {
    id: 'shop-byline',
    weight: 15,
    source: 'An article that says who wrote it, when, or where on the site it stands',
    find: ({ shop }) =>
      shop.hasByline && shop.articleLength >= 80
        ? `byline of an article of ${shop.articleLength} letters`
        : null,
  },
  {
    id: 'maintenance',
    pointsTo: 'error',
    weight: 50,
    source: 'Maintenance pages say so in their title or heading, or say little else',
    find: ({ page }) => {
      const loud = MAINTENANCE.exec(`${page.title}\n${page.headings.join('\n')}`)?.[0];
      return loud ?? (page.text.length < 1500 ? (MAINTENANCE.exec(page.text)?.[0] ?? null) : null);
    },
  },
  {
    id: 'maintenance-heading',
    pointsTo: 'error',
    weight: 30,
    source: 'Being shut is what the page is about: its title or first heading says so',
    find: ({ page }) =>
      [page.title, ...page.headings.slice(0, 1)].find((name) => MAINTENANCE.test(name)) ?? null,
  },
  {
    id: 'error-page',
    pointsTo: 'error',
    weight: 50,
    source: 'Error pages, server defaults and parked domains say so in their title or first heading',
    find: ({ page }) =>
      [page.title, ...page.headings.slice(0, 2)].find((name) => ERROR_PAGE.test(name)) ??
      (page.ownText.length < 300 ? (FAILURE.exec(page.ownText)?.[0] ?? null) : null),
  },
  {
    id: 'parked-domain',
    pointsTo: 'error',
    role: 'certain',
    weight: 80,
    source: 'Pages of domain traders: the title, a heading or a short page says that the name is for sale',
    find: ({ page, shop }) =>
      [page.title, page.headings[0] ?? ''].find((name) => shop.basket === null && HOST_NAME.test(name)) ??
      PARKED_DOMAIN.exec(`${page.title}\n${page.headings.join('\n')}`)?.[0] ??
      (page.text.length < 1500 ? PARKED_DOMAIN.exec(page.text)?.[0] : null) ??
      findAddress(
        [...page.scriptAddresses, ...page.frames],
        /sedoparking\.com|parkingcrew\.net|bodis\.com|parklogic\.com|\/adsense\/domains\/caf\.js|dsparking|above\.com\/marketplace/i,
      ),
  },
  {
    id: 'network-portal',
    pointsTo: 'error',
    role: 'certain',
    weight: 80,
    source: 'Captive portals of networks: they answer at any address, with their own menu and prices',
    find: ({ page, shop }) => {
      if (shop.basket !== null) return null;
      const named = [page.title, ...page.headings.slice(0, 1)].find((name) => NETWORK_PORTAL.test(name));
      const mentioned = page.text.length < 1500 ? NETWORK_PORTAL.exec(page.text)?.[0] : undefined;
      if (named === undefined && mentioned === undefined) return null;
      const offers = [...page.buttons, ...page.links.map(({ text }) => text)];
      if (named !== undefined && offers.some((text) => GO_ONLINE.test(text))) return named;
      return offers.some((text) => CONNECT.test(text)) ? (mentioned ?? null) : null;
    },
  },
  {
    id: 'other-site',
    pointsTo: 'error',
    role: 'certain',
    weight: 50,
    source: 'The answer came from another organisation: a parked domain, a network that wants a sign-in',
    find: ({ answer }) => {
      const [from, to] = [parseAddress(answer.requestUrl), parseAddress(answer.finalUrl)];
      if (from === null || to === null || from.hostname === to.hostname) return null;
      const hosted = to.hostname.split('.').includes(organisationOf(from.hostname));
      return hosted || isSameOrganisation(from.hostname, to.hostname) ? null : `ended on ${to.hostname}`;
    },
  },
]);

export const OPEN_ENOUGH = 50;

/** Whether the page has a heading, content, and links to at least three other pages of the site. */
function linksOn({ shop, page }: Pick<SignInput, 'shop' | 'page'>): boolean {
  return shop.siteLinks >= 3 && shop.ownContent !== 'none' && page.headings.length > 0;
}
