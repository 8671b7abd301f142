import type { ProductJudgement } from '#shared/monitor/checks/verdict';

const inWords = (name: string): string => name.replaceAll('_', ' ');

/** A product's state in a check: "out of stock (ballot)", "unknown (not a product)". */
export function offerWords({
  availability,
  detail,
  unknownReason,
}: Pick<ProductJudgement, 'availability' | 'detail' | 'unknownReason'>): string {
  const more = unknownReason ?? detail;
  return `${inWords(availability)}${more === null ? '' : ` (${inWords(more)})`}`;
}
