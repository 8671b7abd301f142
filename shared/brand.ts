/** The product's name, in one place. */
export const PRODUCT_NAME = 'Packwatch';

/** The shop that is watched. `slug` is its product id on the restock page. */
export const SHOP = { slug: 'pokemon-center-uk', name: 'Pokemon Center UK' } as const;
