/** A variant's width for phones, for tablets and for everything larger. */
const VARIANT_WIDTHS = [480, 960, 1600] as const;

/** The widths an image of this width is kept in: never enlarged, and its own when it is narrower than the widest. */
export function variantWidths(natural: number): number[] {
  const widest = VARIANT_WIDTHS[VARIANT_WIDTHS.length - 1] ?? natural;
  return [...VARIANT_WIDTHS.filter((width) => width < natural), ...(natural <= widest ? [natural] : [])];
}

/** What a variant's file is called: by its width, so that the largest one's name tells all the others. */
export function variantName(width: number): string {
  return `${width}.webp`;
}

/**
 * All variants of a stored image, the narrowest first, by the path of its largest one; for whoever has kept no more than
 * that. A path that is not one of a variant stands alone, its width unknown: empty.
 */
export function variantsOf(largest: string): { path: string; width: number }[] {
  const [, folder = '', width] = /^(\/uploads\/[^/]+\/)([1-9]\d{0,4})\.webp$/.exec(largest) ?? [];
  if (width === undefined) return [];
  return variantWidths(Number(width)).map((each) => ({ path: folder + variantName(each), width: each }));
}
