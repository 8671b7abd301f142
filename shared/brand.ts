/** The product's name, in one place. */
export const PRODUCT_NAME = 'Packwatch';

/** The shop that is watched. `slug` is its product id on the restock page. */
export const SHOP = { slug: 'pokemon-center-uk', name: 'Pokemon Center UK' } as const;

/** The watch that the API, the screens and, unless another is named, the command line show. The migration seeds it. */
export const DEFAULT_WATCH_ID = 'pokemon-center-uk';
