import type {
  Judgement,
  ProductJudgement,
  ProductSign,
  ProductUnknownReason,
} from '#shared/monitor/checks/verdict';

/** The judgement of a page that says nothing about the product. */
export function unknownProduct(unknownReason: ProductUnknownReason, reason: string): ProductJudgement {
  return {
    availability: 'unknown',
    unknownReason,
    detail: null,
    strength: null,
    price: null,
    title: null,
    gtin: null,
    variants: [],
    seller: null,
    reason,
    signs: [],
  };
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
