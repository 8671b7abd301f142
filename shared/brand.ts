/** The product's name, in one place. */
export const PRODUCT_NAME = 'Packwatch';

/** The monitored shop. `slug` is its product id on the restock page. */
export const SHOP = { slug: 'pokemon-center-uk', name: 'Pokemon Center UK' } as const;

/** The default watch of the API, the screens and the command line. A migration seeds it. */
export const DEFAULT_WATCH_ID = 'pokemon-center-uk';
