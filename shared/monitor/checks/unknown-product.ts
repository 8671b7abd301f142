import type { ProductJudgement, ProductUnknownReason } from './verdict';

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
    watchedVariant: null,
    seller: null,
    reason,
    signs: [],
  };
}
