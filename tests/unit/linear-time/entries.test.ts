import { describe, expect, test } from 'vitest';
import { originalName } from '#shared/storage/file-rule';
import { slugFor } from '#shared/monitor/watches/slugs';
import { typedHref } from '#shared/news/article-html/article-links';
import { parseMarkup } from '#shared/news/article-html/markup';
import { readDocument } from '#shared/news/article-html/read-document';
import { prepareArticleHtml } from '#shared/news/article-html.server';
import { withoutImages } from '#shared/news/media/text-images';
import { describeAnswer } from '#shared/channels/push/push-answer';
import { normaliseUnicode } from '#shared/text';
import { parseWebhookAddress } from '#shared/channels/discord/webhook-address';
import { readCookies } from '../../../app/http/cookies/cookies.server';
import { safePath } from '#shared/site/paths';
import { matchesEtag } from '../../../app/http/server/etag.server';
import { nestHeadings, withAbsoluteAddresses } from '../../../app/routes/site/news/article-html.server';
import { decodeText } from '../../../daemon/waiting-room/fetch/decode-text';
import { answerFromFile } from '../../../daemon/waiting-room/fetch/saved-page';
import { readScrappeyAnswer } from '../../../daemon/waiting-room/fetch/scrappey-answer';
import { findPageFacts } from '../../../daemon/checks/page-facts';
import { judgeProduct, NOTHING_EXPECTED } from '../../../daemon/judging/product/judge-product';
import { judgePage } from '../../../daemon/waiting-room/judge-page';
import { readRefresh } from '../../../daemon/waiting-room/parse/read-refresh';
import { answerWith } from '../waiting-room/judging-cases';
import { faultOfGrowth } from './growth';

/** Texts that are repeated: what parsers and loops look for, and letters that Unicode orders or expands. */
const PUMPS = [
  ...' \t\n\u0000a0<>&%=;,"\'({[/\\-.@:_?#',
  ...[
    '<a ',
    '<div>',
    '<b><i>',
    '</x>',
    '<!--',
    '<li>',
    '&amp;',
    '%2',
    '%25',
    'a=1;',
    'a=',
    'x y ',
    '*/ /*',
    '//',
  ],
  ...[
    'you are in ',
    'page sera a',
    'schliess_',
    '“',
    '「',
    'https://',
    '//a.',
    'location=',
    '/queue?c=1&e=1&',
    '{"a":',
  ],
  ...['\u0301\u0316', 'ﷺ', '\ud800', 'é', 'ß'],
];

const judge = (body: string, headers = {}, finalUrl?: string): unknown =>
  judgePage(answerWith(body, { headers, ...(finalUrl !== undefined && { finalUrl }) }));

const judgeAsProduct = (body: string, finalUrl?: string): unknown =>
  judgeProduct(answerWith(body, finalUrl === undefined ? {} : { finalUrl }), NOTHING_EXPECTED, new Date(0));

/** Each place where the product reads foreign text, and the length at which it is tried. */
const ENTRIES: ReadonlyArray<readonly [name: string, size: number, read: (text: string) => unknown]> = [
  ['a page', 5000, (text) => judge(text)],
  ['a title and a heading', 2000, (text) => judge(`<title>${text}</title><h1>${text}</h1>`)],
  [
    'the image of a product page',
    4000,
    (text) =>
      findPageFacts({
        body: `<meta property="og:image" content="${text}"><script type="application/ld+json">{"@graph":[${text}</script>${text}`,
        finalUrl: 'https://shop.example/',
      }),
  ],
  ['a product page', 4000, (text) => judgeAsProduct(`<h1>A trainer box</h1>${text}`)],
  [
    'names and choices of a product page',
    2000,
    (text) =>
      judgeAsProduct(`<title>${text}</title><h1>${text}</h1><select><option>${text}</option></select>`),
  ],
  [
    'lines and prices of a product page',
    2000,
    (text) => judgeAsProduct(`<h1>A box</h1><p>£4.99 ${text}</p><p>${text} £5</p>`),
  ],
  [
    'buttons of a product page',
    2000,
    (text) => judgeAsProduct(`<h1>A box</h1><p>£4</p><button>${text}</button><a href="${text}">${text}</a>`),
  ],
  [
    'data of a product page',
    4000,
    (text) =>
      judgeAsProduct(
        `<script>x={"available":"${text}</script><script>available=${text}</script><p data-x='{"available":${text}'></p>`,
        `https://a.example/?variant=${text}`,
      ),
  ],
  [
    'markup of a product page',
    2000,
    (text) =>
      judgeAsProduct(
        `<script type="application/ld+json">{"@type":"Product","name":"${text}"</script><script type="application/ld+json">{"@type":"Product","offers":${text}</script><div itemscope itemtype="${text}"><b itemprop="${text}">${text}</b></div><meta property="product:price:amount" content="${text}">`,
      ),
  ],
  [
    'JSON of a product',
    4000,
    (text) => judgeAsProduct(JSON.stringify({ name: text, available: text, price: text })),
  ],
  ['a script', 8000, (text) => judge(`<script>queue;${text}</script>`)],
  ['a style sheet', 8000, (text) => judge(`<style>${text}</style>`)],
  [
    'attributes',
    4000,
    (text) => judge(`<a href="${text}" class="${text}" style="${text}">x</a><iframe src="${text}"></iframe>`),
  ],
  [
    'headers and address of a page',
    4000,
    (text) =>
      judge('', { 'set-cookie': text, location: text, 'content-type': text }, `https://a.example/?${text}`),
  ],
  ['a refresh', 20_000, (text) => readRefresh(`1;${text}`)],
  [
    'an answer of Scrappey',
    4000,
    (text) => {
      const solution = { verified: true, response: text, cookieString: text, currentUrl: text };
      readScrappeyAnswer('https://a.example/', {
        httpStatus: 200,
        text: JSON.stringify({ data: 'success', solution }),
      });
    },
  ],
  [
    'saved headers',
    20_000,
    (text) => answerFromFile({ page: Buffer.from('x'), status: 200, headersText: text }),
  ],
  [
    'bytes of a page',
    20_000,
    (text) => decodeText(Buffer.from(`<meta ${text}`), `text/html; charset=${text}`),
  ],
  ['an article', 4000, (text) => prepareArticleHtml(`<p style="${text}">${text}</p>`)],
  ['the images of an article', 20_000, (text) => withoutImages(text, () => true)],
  [
    'an article on the site',
    20_000,
    (text) => withAbsoluteAddresses(nestHeadings(text), 'https://a.example'),
  ],
  ['a typed link', 20_000, (text) => typedHref(`a${text}`)],
  ['a wrapped link', 8_000, (text) => typedHref(`https://urldefense.com/v3/__${text}__;${text}!`)],
  [
    'a clipboard',
    4000,
    (text) =>
      readDocument(parseMarkup(`<p style="white-space:pre">${text}<a href="#${text}">${text}</a>`), {
        from: 'foreign',
        siteOrigin: null,
      }),
  ],
  ["a push service's answer", 20_000, (text) => describeAnswer({ host: 'a' }, { status: 400, text })],
  ['the name of a file', 20_000, (text) => originalName(`a${text}`)],
  ['a title of a watch', 20_000, (text) => slugFor({ title: `a${text}`, shop: 'a' }, () => false)],
  [
    'a webhook address',
    20_000,
    (text) => parseWebhookAddress(`https://discord.com/api/${text}`, ['discord.com']),
  ],
  ['cookies', 20_000, (text) => readCookies(`a=${text}`)],
  ['an If-None-Match', 20_000, (text) => matchesEtag(`"${text}`, '"a"')],
  ['a path to return to', 20_000, (text) => safePath(`/${text}`)],
  ['a normalised text', 20_000, (text) => normaliseUnicode(`a${text}`, 'NFKC')],
];

describe('foreign text is read in linear time', () => {
  for (const [name, size, read] of ENTRIES) {
    test(name, () => {
      const faults = PUMPS.flatMap((pump) => {
        const fault = faultOfGrowth((length) => {
          try {
            read(pump.repeat(Math.ceil(length / pump.length)));
          } catch {
            // A refusal is an answer, too.
          }
        }, size);
        return fault === null ? [] : [`${JSON.stringify(pump)}: ${fault}`];
      });
      expect(faults).toEqual([]);
    });
  }
});
