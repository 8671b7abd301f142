/** Widths of variants: for phones, tablets and larger screens. */
const VARIANT_WIDTHS = [480, 960, 1600] as const;

/** The widths of the variants of an image. Images are never enlarged: a narrower image keeps its own width. */
export function variantWidths(imageWidth: number): number[] {
  const widest = VARIANT_WIDTHS[VARIANT_WIDTHS.length - 1] ?? imageWidth;
  return [
    ...VARIANT_WIDTHS.filter((width) => width < imageWidth),
    ...(imageWidth <= widest ? [imageWidth] : []),
  ];
}

/** The file name of the JPEG for link previews and messages. */
export const SHARE_IMAGE_NAME = 'share.jpeg';

/** The file name of a variant: its width, so that the name of the largest determines all others. */
export function variantName(width: number): string {
  return `${width}.webp`;
}

/** All variants of a stored image, narrowest first, from the path of the largest; empty for a path that is no variant. */
export function variantsOf(largest: string): { path: string; width: number }[] {
  const [, folder = '', width] = /^(\/uploads\/[^/]+\/)([1-9]\d{0,4})\.webp$/.exec(largest) ?? [];
  if (width === undefined) return [];
  return variantWidths(Number(width)).map((each) => ({ path: folder + variantName(each), width: each }));
}

/** The attribute `srcset` of a stored image, from the path of the largest variant. Undefined if there is only one. */
export function srcSetOf(largest: string): string | undefined {
  const variants = variantsOf(largest);
  return variants.length > 1 ? variants.map(({ path, width }) => `${path} ${width}w`).join(', ') : undefined;
}
