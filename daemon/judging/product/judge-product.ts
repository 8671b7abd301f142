import type {
  ExpectedProduct,
  Judgement,
  PageAnswer,
  ProductJudgement,
} from '#shared/monitor/checks/verdict';
import { isSameGtin } from '#shared/monitor/products/gtin';
import { unknownProduct } from '#shared/monitor/checks/unknown-product';
import { parseAddress } from '../../waiting-room/fetch/web-address';
import { judgeAnswer } from '../../waiting-room/judge-page';
import { foldText } from '../../waiting-room/parse/normalise-text';
import { choosePrice, newPrice, pageCurrency, statedPrices } from './choose-price';
import { judgePlatform } from './judge-platform';
import { newRepairBudget, parseLenient } from './structured/lenient-json';
import { offerOf } from './offered-by';
import {
  asksForSignIn,
  gtinOf,
  isOwn,
  isProductMeta,
  isStranger,
  isTitled,
  missingBy,
  movedTo,
  nameWithin,
  otherPage,
  productHeading,
  refusedBy,
  refusesByName,
} from './page-identity';
import { findBox } from './page/product-box';
import type { Context } from './product-context';
import { isSameProduct, nameInTitle, partsOfTitle } from './words/product-names';
import { readAmount } from './words/price-text';
import { ProductReader } from './page/product-reader';
import { isNameOf, readData } from './read-data';
import {
  dropAlertsBesideStock,
  dropTitleBesideStock,
  dropSignInAlone,
  refuseLaterStock,
  readActions,
  readLines,
  readMeta,
  readStructured,
} from './read-signs';
import { detailOf, isBuyable, reasonOf, sentenceOf, weighStock } from './stock-ruling';
import { isBid } from './words/stock-words';
import { asLinkedData, readStructuredData } from './structured/structured-data';
import { buyablePrice, findWatched, listVariants, plainVariant, watchedPrice } from './variants';

/** For a page without known product data. */
export const NOTHING_EXPECTED: ExpectedProduct = { title: null, gtin: null, variantKey: null };

/**
 * Judges an answer as a page of one product: whether it can be bought, its price, variants and seller, with every sign
 * found. `now`: when the page was fetched; a release before it is no pre-order. Also returns the judgement of the
 * waiting-room judge, from the same pass over the page. Its time is linear in the page's size.
 */
export function judgeProduct(answer: PageAnswer, expected: ExpectedProduct, now: Date): Judgement {
  const reader = new ProductReader();
  const { judgement: page, format, json } = judgeAnswer(answer, reader);
  const of = (product: ProductJudgement): Judgement => ({ ...page, product });
  if (page.verdict === 'waiting_room' && page.strength === 'strong')
    return of(unknownProduct('waiting_room', page.reason));
  if (answer.status === 0 || !answer.decodable || format === 'empty')
    return of(unknownProduct('error', page.reason));
  if (format === 'json') return of(judgePlatform(answer, { json, expected, page }));
  if (format !== 'html') return of(unknownProduct(reasonOf(page) ?? 'error', page.reason));
  return of(judgeHtml(answer, { reader, expected, page, today: now.toISOString().slice(0, 10) }));
}

function judgeHtml(
  answer: PageAnswer,
  {
    reader,
    expected,
    page,
    today,
  }: { reader: ProductReader; expected: ExpectedProduct; page: Judgement; today: string },
): ProductJudgement {
  const final = parseAddress(answer.finalUrl);
  const currency = pageCurrency(reader, final);
  const budget = newRepairBudget();
  const linked = reader.islands
    .filter(({ kind }) => kind === 'ld')
    .map(({ text }) => parseLenient(text, budget));
  const items = reader.items.map((item) => asLinkedData(item));
  const structured = readStructuredData([...linked, ...items], { currency, today });
  const site = reader.meta.get('og:site_name') ?? structured.siteNames[0] ?? null;
  const inTitle = nameInTitle(reader.title, site);
  const ogTitle = nameInTitle(reader.meta.get('og:title') ?? '', site);
  const names = [
    ...structured.products.flatMap(({ name }) => name ?? []),
    ogTitle,
    inTitle,
    ...partsOfTitle(reader.title),
    ...(expected.title === null ? [] : [expected.title]),
  ].filter((name) => name !== '');
  const homePaths = new Set(['/', '', final === null ? '/' : `${final.origin}/`, final?.origin ?? '/']);
  const stated = [
    ...structured.products
      .slice(0, 1)
      .flatMap(({ offers }) => offers.flatMap(({ price }) => price?.amount ?? [])),
    readAmount(reader.meta.get('product:price:amount') ?? reader.meta.get('og:price:amount'), currency) ?? 0,
  ];
  const requested = parseAddress(answer.requestUrl);
  const isMoved = requested !== null && final !== null && requested.pathname !== final.pathname;
  const asked = isMoved ? requested : null;
  const box = findBox(reader, { names, homePaths, currency, today, address: final, asked, stated });
  const context: Context = {
    answer,
    expected,
    reader,
    structured,
    box,
    page,
    currency,
    today,
    title: null,
    nameInTitle: inTitle,
    signs: [],
    budget,
  };
  const subject = structured.products.find((product) => isOwn(context, product)) ?? null;
  context.title =
    productHeading(nameWithin(reader, box.heading) ?? box.heading?.text ?? null) ??
    subject?.name ??
    (ogTitle === '' || !isProductMeta(reader) ? null : ogTitle);

  const actions = readActions(context);
  const lines = readLines(context);
  dropAlertsBesideStock(context);
  dropTitleBesideStock(context);
  const data = readData(context);
  context.title ??= data.own.find(({ name }) => isNameOf(context, name))?.name ?? null;
  const variants = listVariants(context, subject, data);
  const watched = findWatched(context, variants, subject);
  readStructured(context, subject, watched);
  readMeta(context);
  dropSignInAlone(context);
  refuseLaterStock(context);
  const { signs } = context;
  const offered = offerOf(context, { variants, watched, lines, actions });

  const isPlain =
    box.heading !== null &&
    (productHeading(box.heading.text) !== null || refusesByName(context)) &&
    signs.some(
      ({ source, subject: about, says }) =>
        (source === 'button' || source === 'stock_line') && about !== 'page' && says !== 'nothing',
    ) &&
    (box.lines.some(({ hasPrice }) => hasPrice) ||
      structured.products.length > 0 ||
      (page.verdict !== 'waiting_room' && refusesByName(context)));
  if (asksForSignIn(answer))
    return { ...unknownProduct('not_a_product', 'The address leads to the shop’s sign-in page.'), signs };
  const refused = isPlain ? null : refusedBy(context);
  const moved = refused === null ? movedTo(context) : null;
  const isRefused = isPlain && refusesByName(context);
  if (moved !== null && page.verdict !== 'waiting_room' && (moved.isProduct || !isRefused))
    return { ...unknownProduct('not_a_product', moved.sentence), signs };
  const barred = isPlain ? null : (refused ?? missingBy(context));
  if (barred !== null)
    return {
      ...unknownProduct(barred.reason, barred.sentence),
      signs,
      title: barred.reason === 'discontinued' && isTitled(context) ? context.title : null,
    };
  const prices = statedPrices(context, subject, data, watched);
  const gtin = gtinOf(context, subject, data, watched);
  if (expected.gtin !== null && gtin !== null && !isSameGtin(gtin, expected.gtin))
    return {
      ...unknownProduct('not_a_product', `The page is about another product: its GTIN is ${gtin}.`),
      signs,
    };
  const ruling = weighStock(signs);
  const seller = offered.seller;
  const listed = {
    variants: variants.map(plainVariant),
    watchedVariant: watched.variant?.key ?? null,
  };
  if (ruling.says === 'discontinued' && ruling.deciding !== null)
    return {
      ...unknownProduct(
        'discontinued',
        `The shop no longer sells the product (${ruling.deciding.evidence}).`,
      ),
      signs,
      title: answer.status >= 400 && !isTitled(context) ? null : context.title,
      gtin,
      ...listed,
    };
  if (isStranger(context))
    return {
      ...unknownProduct('not_a_product', `The page is about something else: ${context.title ?? ''}.`),
      signs,
    };
  const price = offered.noPrice
    ? offered.detail === 'used_only'
      ? newPrice(reader, box, currency)
      : null
    : (watchedPrice(watched) ??
      buyablePrice(variants, choosePrice(reader, box, { stated: prices, currency })) ??
      prices[0] ??
      null);
  const shown = { price, title: context.title, gtin, ...listed, seller, signs };
  if (ruling.says === null || ruling.deciding === null) {
    if (offered.detail === 'marketplace_only' || offered.detail === 'used_only')
      return {
        ...shown,
        availability: 'out_of_stock',
        unknownReason: null,
        detail: offered.detail,
        strength: 'weak',
        reason: sentenceOf('out_of_stock', null, null, offered.detail),
      };
    const other = otherPage(context);
    if (other !== null) return { ...unknownProduct('not_a_product', other), signs };
    const isProduct =
      subject !== null ||
      (box.heading !== null &&
        (price !== null || names.some((name) => isSameProduct(name, box.heading?.text ?? ''))));
    return {
      ...unknownProduct('unrecognised', 'The page does not say whether the product is in stock.'),
      signs,
      ...(isProduct
        ? { ...shown, seller: null, price: isBid(foldText(box.enquiry ?? '')) ? null : price }
        : {}),
    };
  }
  if (context.title === null && (isBuyable(ruling.says) || ruling.says === 'preorder'))
    return { ...unknownProduct('unrecognised', 'The page does not offer a product for sale.'), signs };
  const idle = idleButton(context, ruling.says);
  if ((idle !== null || ruling.doubt !== null) && ruling.says !== 'discontinued') {
    const denial =
      idle === null
        ? `The page contradicts itself (${ruling.doubt?.evidence ?? ''}).`
        : `The page shows no way to buy: its button says "${idle}".`;
    return {
      ...unknownProduct('unrecognised', `${denial} ${sentenceOf(ruling.says, ruling.deciding, null, null)}`),
      ...shown,
      // A bid is no price.
      price: isBid(foldText(idle ?? '')) ? null : price,
      seller: null,
    };
  }
  const availability =
    offered.detail !== null || ruling.says === 'discontinued' ? 'out_of_stock' : ruling.says;
  const detail = offered.detail ?? detailOf(ruling.says, ruling.detail, signs);
  // Variants of a product that comes later come later, too.
  const ofLater = (one: (typeof listed.variants)[number]): typeof one =>
    isBuyable(one.availability) ? { ...one, availability: 'preorder' } : one;
  return {
    ...shown,
    variants: availability === 'preorder' ? listed.variants.map(ofLater) : listed.variants,
    availability,
    unknownReason: null,
    detail,
    strength: ruling.strength,
    reason: sentenceOf(availability, ruling.deciding, ruling.contradiction, offered.detail),
  };
}

/**
 * The button of a page without a buy button whose other sources say that it sells; null: they agree, or a button sells.
 * Markup alone counts only if the page has no other button.
 */
function idleButton({ box, signs }: Context, says: string): string | null {
  if (!isBuyable(says) && says !== 'preorder') return null;
  const sources = new Set(
    signs.flatMap(({ source, says: said, weight }) =>
      weight > 0 && (isBuyable(said) || said === 'preorder') ? source : [],
    ),
  );
  if (sources.has('button')) return null;
  if (box.grey !== null) return box.grey;
  if (sources.has('stock_line') && sources.size > 1) return null;
  const isMarkup = !sources.has('stock_line') && !sources.has('page_data');
  return box.enquiry ?? (isMarkup ? box.idle : null);
}
