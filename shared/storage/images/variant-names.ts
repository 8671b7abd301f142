/** Of a card in a list: 80 pixels, on screens with three times the density. */
const CARD_WIDTH = 240;
/** For phones, tablets and larger screens. */
const PAGE_WIDTHS = [480, 960, 1600] as const;
const [PHONE_WIDTH, , WIDEST] = PAGE_WIDTHS;

/** The widths of the variants of an image. Images are never enlarged: one of at most 480 pixels keeps its own width alone. */
export function variantWidths(imageWidth: number): number[] {
  if (imageWidth <= PHONE_WIDTH) return [imageWidth];
  return [
    CARD_WIDTH,
    ...PAGE_WIDTHS.filter((width) => width < imageWidth),
    ...(imageWidth <= WIDEST ? [imageWidth] : []),
  ];
}

/** Where the next larger variant is, if a path names one that images of earlier releases lack; null for other paths. */
export function widerVariantOf(path: string): string | null {
  const narrow = `/${variantName(CARD_WIDTH)}`;
  return path.endsWith(narrow) ? path.slice(0, -narrow.length) + `/${variantName(PHONE_WIDTH)}` : null;
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

/** Undefined if there is only one. */
function joinVariants(variants: readonly { path: string; width: number }[]): string | undefined {
  return variants.length > 1 ? variants.map(({ path, width }) => `${path} ${width}w`).join(', ') : undefined;
}

/** The attribute `srcset` of a stored image, from the path of the largest variant. Undefined if there is only one. */
export function srcSetOf(largest: string): string | undefined {
  return joinVariants(variantsOf(largest));
}

/** The same from all variants, for an image that is never as narrow as in a card of a list. */
export function pageSrcSetOf(variants: readonly { path: string; width: number }[]): string | undefined {
  return joinVariants(variants.filter(({ width }) => width > CARD_WIDTH));
}
