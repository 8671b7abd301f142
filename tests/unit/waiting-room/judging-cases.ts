import { describe, expect, test } from 'vitest';
import type { PageAnswer, Verdict } from '#shared/monitor/checks/verdict';
import { judgePage } from '../../../daemon/waiting-room/judge-page';

export const SHOP_URL = 'https://www.pokemoncenter.com/en-gb';

/** An answer of the shop with this body, with status 200 and as HTML by default. */
export function answerWith(body: string, more: Partial<PageAnswer> = {}): PageAnswer {
  return {
    requestUrl: SHOP_URL,
    finalUrl: more.requestUrl ?? SHOP_URL,
    status: 200,
    body,
    decodable: true,
    hops: [],
    unverified: false,
    ...more,
    headers: { 'content-type': 'text/html; charset=utf-8', ...more.headers },
  };
}

/** A bare document. */
export function bare(body: string, { title = '', head = '', bodyTag = '<body>' } = {}): string {
  return `<!DOCTYPE html><html><head><title>${title}</title>${head}</head>${bodyTag}${body}</body></html>`;
}

/** The texts of a shop in one language. */
export interface ShopDress {
  nav: Array<[href: string, text: string]>;
  cart: [href: string, text: string];
  buy: string;
  price: string;
}

const ENGLISH: ShopDress = {
  nav: [
    ['/en-gb/category/tcg', 'Trading Card Game'],
    ['/en-gb/category/plush', 'Plush'],
    ['/en-gb/category/clothing', 'Clothing'],
    ['/en-gb/category/home', 'Home'],
  ],
  cart: ['/en-gb/cart', 'My Cart (0)'],
  buy: 'Add to Cart',
  price: '£14.99',
};

function frameAround(main: string, dress: ShopDress, { title = 'Shop', head = '' } = {}): string {
  const nav = dress.nav.map(([href, text]) => `<li><a href="${href}">${text}</a></li>`).join('');
  const header = `<header><a href="/"><img src="/logo.svg" alt="Shop"></a><a href="${dress.cart[0]}">${dress.cart[1]}</a></header>`;
  const footer = '<footer><a href="/privacy">Privacy</a><a href="/terms">Terms</a></footer>';
  return bare(`${header}<nav><ul>${nav}</ul></nav><main>${main}</main>${footer}`, { title, head });
}

/** A page with a shop's navigation, basket and footer around the content. */
export function shopFrame(
  main: string,
  options: { title?: string; head?: string; dress?: ShopDress } = {},
): string {
  return frameAround(main, options.dress ?? ENGLISH, options);
}

/** A shop's listing of a few products, with more content below. */
export function shopListing(
  more = '',
  options: { title?: string; head?: string; dress?: ShopDress } = {},
): string {
  const { buy, price } = options.dress ?? ENGLISH;
  const tile = (number: number): string =>
    `<li><a href="/product/10-${number}/thing">Thing ${number}</a> <span class="price">${price}</span><button>${buy}</button></li>`;
  return shopFrame(`<h1>New</h1><ul>${[1, 2, 3].map(tile).join('')}</ul>${more}`, options);
}

/** Words that make a page a waiting room when they are visible and no shop is around them. */
export const ROOM_WORDS =
  '<h1>You are now in line</h1><p>Number of people ahead of you: 812</p><p>Your estimated wait time is 12 minutes.</p><p>Please keep this page open.</p>';

export const QUEUE_URL =
  'https://pokemoncenter.queue-it.net/?c=pokemoncenter&e=drop&t=https%3A%2F%2Fwww.pokemoncenter.com%2Fen-gb&cid=en-GB';

/** A redirect from the shop to an address. */
export function hopTo(location: string, from = SHOP_URL): PageAnswer['hops'][number] {
  return { url: from, status: 302, location, headers: {} };
}

export type JudgingCase = readonly [name: string, answer: PageAnswer];

/** Tests a table of cases with one verdict. */
export function judgeAll(about: string, verdict: Verdict, cases: readonly JudgingCase[]): void {
  describe(about, () => {
    for (const [name, answer] of cases) {
      test(name, () => {
        const judgement = judgePage(answer);
        expect(judgement.verdict, JSON.stringify(judgement, null, 1)).toBe(verdict);
      });
    }
  });
}

/** A case with its verdict. */
export type LabelledCase = readonly [verdict: Verdict, name: string, answer: PageAnswer];

const labelled =
  (verdict: Verdict) =>
  (name: string, body: string, more: Partial<PageAnswer> = {}): LabelledCase => [
    verdict,
    name,
    answerWith(body, more),
  ];

/** A page that is judged as a waiting room, as open or as unknown. */
export const room = labelled('waiting_room');
export const open = labelled('open');
export const unknown = labelled('unknown');

/** Tests a table of cases with a verdict each. */
export function judgeTable(about: string, cases: readonly LabelledCase[]): void {
  describe(about, () => {
    for (const [verdict, name, answer] of cases) {
      test(`${verdict}: ${name}`, () => {
        const judgement = judgePage(answer);
        expect(judgement.verdict, JSON.stringify(judgement, null, 1)).toBe(verdict);
      });
    }
  });
}
