import type {
  ExpectedProduct,
  Judgement,
  PageAnswer,
  ProductJudgement,
  ProductSign,
} from '#shared/monitor/checks/verdict';
import { isSameGtin } from '#shared/monitor/products/gtin';
import { unknownProduct } from '#shared/monitor/checks/unknown-product';
import { parseAddress } from '../../waiting-room/fetch/web-address';
import { foldText } from '../../waiting-room/parse/normalise-text';
import { otherProduct } from './page/moved-address';
import { readRecords } from './structured/page-data';
import { EURO_HOSTS, HOME_CURRENCY, add } from './product-context';
import { likeness } from './words/product-names';
import { detailOf, isBuyable, sentenceOf, weighStock } from './stock-ruling';
import { bestVariant, plainVariant, variantInAddress, variantOf } from './variants';

/** Judges the JSON of a platform: Shopify's product, or WooCommerce's Store API. */
export function judgePlatform(
  answer: PageAnswer,
  { json, expected, page }: { json: unknown; expected: ExpectedProduct; page: Judgement },
): ProductJudgement {
  const host = parseAddress(answer.finalUrl)?.hostname ?? '';
  const currency = EURO_HOSTS.test(host) ? 'EUR' : HOME_CURRENCY;
  const records = readRecords(json, 0, currency).filter(({ isOther }) => !isOther);
  const product = records.find(({ parent, name }) => parent === null && name !== null) ?? null;
  if (answer.status === 410)
    return unknownProduct('discontinued', 'The shop answers that the product is gone for good (410).');
  if (product === null || answer.status >= 400)
    return unknownProduct(
      page.unknownReason === 'blocked' || page.unknownReason === 'challenge' ? page.unknownReason : 'error',
      'The JSON holds no product.',
    );
  const others = records.filter((record) => record.parent === null && record.name !== null);
  if (others.length > 1) return unknownProduct('not_a_product', `The JSON lists ${others.length} products.`);
  if (expected.title !== null && likeness(expected.title, product.name ?? '') < 0.5)
    return unknownProduct('not_a_product', `The JSON is about another product: ${product.name ?? ''}.`);
  const [from, to] = [parseAddress(answer.requestUrl), parseAddress(answer.finalUrl)];
  const moved =
    from === null || to === null || from.pathname === to.pathname
      ? null
      : otherProduct({ from, to, title: product.name ?? '', expected: expected.title });
  if (moved !== null) return unknownProduct('not_a_product', moved);
  const signs: ProductSign[] = [];
  const context = { signs };
  const listed = records.filter((record) => record.parent === product && record.isVariant);
  const variants = listed.map((record) => variantOf(record, product.name)).filter(({ name }) => name !== '');
  const key = expected.variantKey ?? variantInAddress(answer.finalUrl) ?? variantInAddress(answer.requestUrl);
  const watched =
    key === null
      ? null
      : ([...listed.map((record) => variantOf(record, product.name))].find(({ keys }) =>
          keys.some((one) => foldText(one) === foldText(key)),
        ) ?? null);
  const best =
    watched ??
    (listed.length > 0 ? bestVariant(listed.map((record) => variantOf(record, product.name))) : null);
  if (best?.wording !== undefined && best.wording !== null)
    add(context, 'platform', {
      ...best.wording,
      subject: watched === null ? 'product' : 'variant',
      evidence: best.evidence.replace(/^: /, ''),
    });
  else if (product.wording !== null)
    add(context, 'platform', { ...product.wording, evidence: product.evidence });
  const ruling = weighStock(signs);
  const gtin = watched?.gtin ?? product.gtin ?? (listed.length === 1 ? (listed[0]?.gtin ?? null) : null);
  if (expected.gtin !== null && gtin !== null && !isSameGtin(gtin, expected.gtin))
    return unknownProduct('not_a_product', `The JSON is about another product: its GTIN is ${gtin}.`);
  // The product's own price is the lowest of all variants, also of those that are gone.
  const price =
    watched?.price ??
    (isBuyable(best?.availability ?? null) ? best?.price : null) ??
    product.price ??
    best?.price ??
    listed[0]?.price ??
    null;
  const shown = {
    price,
    title: product.name,
    gtin,
    variants: variants.length > 1 ? variants.map(plainVariant) : [],
    watchedVariant: variants.length > 1 ? (watched?.key ?? null) : null,
    seller: null,
    signs,
  };
  if (ruling.says === null || ruling.says === 'discontinued') {
    const reason = ruling.says === null ? 'unrecognised' : 'discontinued';
    return { ...unknownProduct(reason, 'The JSON says nothing about the stock of the product.'), ...shown };
  }
  return {
    ...shown,
    availability: ruling.says,
    unknownReason: null,
    detail: detailOf(ruling.says, ruling.detail, signs),
    strength: ruling.strength,
    reason: sentenceOf(ruling.says, ruling.deciding, null, null),
  };
}
