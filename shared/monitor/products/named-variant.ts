import type { ProductVariant } from '../checks/verdict';
import type { Watch } from '../watches/watches';

/**
 * The variant that alone counts for a watch: that of its key, else the one that the query of its address names. Null: the best
 * of all counts, or the page does not list it.
 */
export function namedVariant(
  { variant_key: key, url }: Pick<Watch, 'variant_key' | 'url'>,
  variants: readonly ProductVariant[],
): ProductVariant | null {
  const names = key === null ? [...(URL.parse(url ?? '')?.searchParams.values() ?? [])] : [key];
  return variants.find((variant) => names.includes(variant.key)) ?? null;
}
