import type {
  AvailabilityDetail,
  Judgement,
  ProductJudgement,
  ProductSign,
  ProductUnknownReason,
} from '#shared/monitor/checks/verdict';
import { foldText } from '../../waiting-room/parse/normalise-text';
import { BADGE_WEIGHT, WEIGHTS } from './product-context';
import { expectsStock } from './words/stock-words';

/** The combined result of the signs. */
export interface StockRuling {
  says: 'in_stock' | 'limited' | 'preorder' | 'out_of_stock' | 'discontinued' | null;
  detail: AvailabilityDetail | null;
  strength: 'strong' | 'weak';
  deciding: ProductSign | null;
  /** A sign that was overruled. */
  contradiction: ProductSign | null;
  /** A refusal that leaves open whether the product can be bought. */
  doubt: ProductSign | null;
}

/** Among equal sources the first of these decides. */
const ORDER = ['discontinued', 'out_of_stock', 'preorder', 'limited', 'in_stock'] as const;
/** Whether a sign or a ruling says that the product can be bought now. */
export const isBuyable = (says: string | null): says is 'in_stock' | 'limited' =>
  says === 'in_stock' || says === 'limited';

/**
 * Weighs the signs about the product or the watched variant. The strongest source decides; among equal ones a refusal
 * beats a pre-order, and a pre-order beats stock.
 */
export function weighStock(signs: readonly ProductSign[]): StockRuling {
  const counted = signs.filter(
    ({ says, subject, weight }) =>
      says !== 'nothing' && weight > 0 && (subject === 'product' || subject === 'variant'),
  );
  const strongest = Math.max(0, ...counted.map(({ weight }) => weight));
  const leading = counted.filter(({ weight }) => weight === strongest);
  const refused = refusedBehind(leading, counted);
  const exception =
    (refused?.decides === true ? refused.sign : undefined) ?? backOrderedBehind(leading, counted);
  const first = ORDER.flatMap((says) => leading.filter((sign) => sign.says === says))[0];
  const deciding = exception ?? (first === undefined ? undefined : (orderedBehind(first, counted) ?? first));
  if (deciding === undefined || deciding.says === 'nothing')
    return { says: null, detail: null, strength: 'weak', deciding: null, contradiction: null, doubt: null };
  const kind = (says: string): string => (isBuyable(says) ? 'buyable' : says);
  const agreeing = counted.filter((sign) => kind(sign.says) === kind(deciding.says));
  const contradiction =
    counted.find((sign) => kind(sign.says) !== kind(deciding.says) && !isCompatible(deciding, sign)) ?? null;
  const limited =
    deciding.says === 'in_stock'
      ? agreeing.find(({ says, weight }) => says === 'limited' && weight >= 60)
      : undefined;
  const sources = new Set(agreeing.map(({ source }) => source));
  const isStrong =
    contradiction === null &&
    (deciding.source === 'platform' || (sources.has('button') && sources.size >= 2));
  const chosen = limited ?? deciding;
  return {
    says: chosen.says === 'nothing' ? null : chosen.says,
    detail:
      chosen.detail ??
      agreeing.find(({ says, detail }) => says === chosen.says && detail !== null)?.detail ??
      null,
    strength: isStrong ? 'strong' : 'weak',
    deciding: chosen,
    contradiction,
    doubt: isBuyable(deciding.says)
      ? (refused?.sign ?? refusedWithoutButton(deciding, counted) ?? null)
      : null,
  };
}

/** Data by which the shop system's own script turns its button off (BigCommerce's `BCData.product_attributes`, WooCommerce). */
const TURNS_OFF = /^(?:instock|purchasable|is_purchasable): (?:false|0)/;
/** A number of items says little: many shops sell beyond it. */
const COUNTED = /: \d{1,9}$/;

/**
 * The refusal of data behind a button that sells, when no line says that it is in stock: the script that drew the button may
 * yet turn it off. It decides when nothing else sells, not even the markup.
 */
function refusedBehind(
  leading: readonly ProductSign[],
  counted: readonly ProductSign[],
): { sign: ProductSign; decides: boolean } | undefined {
  if (!leading.every(({ source, says }) => source === 'button' && says === 'in_stock')) return undefined;
  const isAlone = counted.every(({ source, says }) => source === 'button' || !isBuyable(says));
  const refusals = counted.filter(({ says }) => says === 'out_of_stock');
  const sign = refusals.find(
    ({ source, evidence, weight }) =>
      source === 'page_data' &&
      (TURNS_OFF.test(evidence) ||
        (!COUNTED.test(evidence) && (weight >= WEIGHTS.page_data || (isAlone && refusals.length > 1)))),
  );
  if (sign === undefined) return undefined;
  return { sign, decides: TURNS_OFF.test(sign.evidence) || (isAlone && sign.weight >= WEIGHTS.page_data) };
}

/** The refusal of a page without a button that sells: a line alone is not believed against its data and its markup. */
function refusedWithoutButton(
  deciding: ProductSign,
  counted: readonly ProductSign[],
): ProductSign | undefined {
  if (deciding.source === 'platform' || deciding.source === 'page_data') return undefined;
  if (counted.some(({ source, says }) => source === 'button' && says !== 'out_of_stock')) return undefined;
  // A button that only waits for a choice is off as well.
  return counted.find(
    ({ says, subject, source, evidence }) =>
      says === 'out_of_stock' &&
      subject === 'product' &&
      !(source === 'button' && evidence.endsWith(' (off)')),
  );
}

/** The line that takes back-orders beside "Temporarily out of stock", when a button sells: "Order now and we'll deliver when available". */
function backOrderedBehind(
  leading: readonly ProductSign[],
  counted: readonly ProductSign[],
): ProductSign | undefined {
  const buttons = leading.filter(({ source }) => source === 'button');
  if (buttons.length === 0 || !buttons.every(({ says }) => says === 'in_stock' || says === 'preorder'))
    return undefined;
  const back = leading.find(({ says, detail }) => says === 'preorder' && detail === 'backorder');
  // "Pre-order" above "The item will be in stock on 12 March 2027".
  const refusals = leading.filter(({ says }) => says === 'out_of_stock');
  const areExpected = refusals.every(({ evidence }) => expectsStock(foldText(evidence)));
  const others = (refusals.length > 0 ? counted : leading).filter(
    ({ source }) => source !== 'button' && source !== 'meta',
  );
  return back ?? (areExpected ? others.find(({ says }) => says === 'preorder') : undefined);
}

/** The pre-order of data or markup behind a button that only buys, when no line says that it is in stock. */
function orderedBehind(deciding: ProductSign, counted: readonly ProductSign[]): ProductSign | undefined {
  if (deciding.source !== 'button' || deciding.says !== 'in_stock') return undefined;
  if (counted.some(({ source, says }) => source === 'stock_line' && isBuyable(says))) return undefined;
  return counted.find(
    ({ source, says }) => (source === 'page_data' || source === 'structured_data') && says === 'preorder',
  );
}

/** Whether a sign only says less than the deciding one: a button to buy also takes pre-orders. */
function isCompatible(deciding: ProductSign, other: ProductSign): boolean {
  // Themes print the badge of a sold-out product always.
  if (other.source === 'stock_line' && other.weight <= BADGE_WEIGHT && other.weight < deciding.weight)
    return true;
  return deciding.says === 'preorder' && other.source === 'button' && other.says === 'in_stock';
}

export function reasonOf(page: Judgement): ProductUnknownReason | null {
  return page.verdict === 'waiting_room' ? 'waiting_room' : page.unknownReason;
}

const STATES = {
  in_stock: 'in stock',
  limited: 'in stock, few left',
  preorder: 'open for pre-order',
  out_of_stock: 'out of stock',
  unknown: 'unknown',
} as const;

const SOURCES = {
  platform: "the platform's data",
  button: 'its button',
  stock_line: 'its stock line',
  page_data: "the page's data",
  structured_data: 'the markup',
  meta: 'the meta elements',
} as const;

export function sentenceOf(
  availability: ProductJudgement['availability'],
  deciding: ProductSign | null,
  contradiction: ProductSign | null,
  offered: ProductJudgement['detail'],
): string {
  if (offered === 'marketplace_only') return 'Only another seller offers the product, not the shop.';
  if (offered === 'used_only') return 'Only used copies are offered.';
  if (deciding === null) return `The product is ${STATES[availability]}.`;
  const against =
    contradiction === null
      ? ''
      : ` ${SOURCES[contradiction.source].replace(/^./, (letter) => letter.toUpperCase())} said otherwise (${contradiction.evidence}).`;
  return `The product is ${STATES[availability]}: ${SOURCES[deciding.source]} says so (${deciding.evidence}).${against}`;
}

export function detailOf(
  says: string,
  detail: ProductJudgement['detail'],
  signs: readonly ProductSign[],
): ProductJudgement['detail'] {
  if (says === 'preorder') return detail === 'backorder' ? 'backorder' : 'release';
  if (says === 'limited') return 'low_stock';
  if (says !== 'out_of_stock') return null;
  const counted = signs.filter(({ subject }) => subject === 'product' || subject === 'variant');
  for (const wanted of ['ballot', 'in_store_only', 'coming_soon'] as const)
    if (counted.some((sign) => sign.detail === wanted)) return wanted;
  return null;
}
