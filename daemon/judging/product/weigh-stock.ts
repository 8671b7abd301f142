import type { AvailabilityDetail, ProductSign } from '#shared/monitor/checks/verdict';

/** What the signs together mean. */
export interface StockRuling {
  says: 'in_stock' | 'limited' | 'preorder' | 'out_of_stock' | 'discontinued' | null;
  detail: AvailabilityDetail | null;
  strength: 'strong' | 'weak';
  deciding: ProductSign | null;
  /** A sign that was overruled. */
  contradiction: ProductSign | null;
}

/** Among equal sources the first of these decides. */
const ORDER = ['discontinued', 'out_of_stock', 'preorder', 'limited', 'in_stock'] as const;
const BUYABLE: ReadonlySet<string> = new Set(['in_stock', 'limited']);

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
  const first = ORDER.flatMap((says) => leading.filter((sign) => sign.says === says))[0];
  const deciding = first === undefined ? undefined : (orderedBehind(first, counted) ?? first);
  if (deciding === undefined || deciding.says === 'nothing')
    return { says: null, detail: null, strength: 'weak', deciding: null, contradiction: null };
  const kind = (says: string): string => (BUYABLE.has(says) ? 'buyable' : says);
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
  };
}

/** The pre-order of the page's data behind a button that only buys, when no line says that it is in stock. */
function orderedBehind(deciding: ProductSign, counted: readonly ProductSign[]): ProductSign | undefined {
  if (deciding.source !== 'button' || deciding.says !== 'in_stock') return undefined;
  if (counted.some(({ source, says }) => source === 'stock_line' && BUYABLE.has(says))) return undefined;
  return counted.find(({ source, says }) => source === 'page_data' && says === 'preorder');
}

/** Whether a sign only says less than the deciding one: a button to buy also takes pre-orders. */
function isCompatible(deciding: ProductSign, other: ProductSign): boolean {
  return deciding.says === 'preorder' && other.source === 'button' && other.says === 'in_stock';
}
