import type { ExpectedProduct, Judgement, PageAnswer, ProductSign } from '#shared/monitor/checks/verdict';
import { excerpt } from '../../waiting-room/parse/normalise-text';
import type { RepairBudget } from './structured/lenient-json';
import type { ProductBox } from './page/product-box';
import type { ProductReader } from './page/product-reader';
import type { StructuredData } from './structured/structured-data';

/** A British service: prices without a currency are in pounds. */
export const HOME_CURRENCY = 'GBP';

export const EURO_HOSTS = /\.(?:de|fr|es|it|nl|be|at|ie|fi|pt|eu)$/;

export const MAX_VARIANTS = 200;

export const WEIGHTS = {
  platform: 100,
  button: 80,
  stock_line: 80,
  page_data: 60,
  structured_data: 40,
  meta: 20,
} as const;

/** Between the markup and the page's data: a badge, which themes always print and hide by a style sheet. */
export const BADGE_WEIGHT = 50;

/** For data that are only near the product, and for refusals whose grammar refers to something else. */
export const UNNAMED_WEIGHT = 55;

/** The shared input of all rules for one page. */
export interface Context {
  answer: PageAnswer;
  expected: ExpectedProduct;
  reader: ProductReader;
  structured: StructuredData;
  box: ProductBox;
  page: Judgement;
  /** The currency that the page names. */
  currency: string;
  /** The day on which the page was fetched, as `YYYY-MM-DD`. */
  today: string;
  title: string | null;
  /** The name in the page's title element; empty without one. */
  nameInTitle: string;
  signs: ProductSign[];
  budget: RepairBudget;
}

export function add(
  { signs }: Pick<Context, 'signs'>,
  source: ProductSign['source'],
  rest: Pick<ProductSign, 'says' | 'evidence'> & Partial<ProductSign>,
): void {
  if (signs.length >= 200) return;
  const says = rest.says;
  signs.push({
    source,
    detail: null,
    subject: 'product',
    weight: says === 'nothing' ? 0 : WEIGHTS[source],
    ...rest,
    evidence: excerpt(rest.evidence),
  });
}
