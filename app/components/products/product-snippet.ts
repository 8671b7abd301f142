import type { StructuredThing } from '~/components/site/structured-data';

/** An offer of a shop (schema.org/Offer). */
interface OfferFacts {
  url: string;
  seller: string;
  /** In units of `currency` (ISO 4217). */
  price: number;
  currency: string;
  /** A term of schema.org/ItemAvailability; null: unknown. */
  availability: 'InStock' | 'LimitedAvailability' | 'PreOrder' | 'OutOfStock' | 'Discontinued' | null;
}

/**
 * A product that others sell (schema.org/Product), in the form of a product snippet
 * (developers.google.com/search/docs/appearance/structured-data/product-snippet). `offers`: in one currency.
 */
export function productSnippet(
  appUrl: string,
  {
    path,
    name,
    brand,
    gtin,
    image,
    offers,
  }: {
    path: string;
    name: string;
    brand: string | null;
    gtin: string | null;
    /** Its path on this site. */
    image: { path: string };
    offers: readonly OfferFacts[];
  },
): StructuredThing {
  const prices = offers.map(({ price }) => price);
  return {
    '@type': 'Product',
    '@id': `${appUrl}${path}#product`,
    name,
    image: appUrl + image.path,
    ...(brand !== null && { brand: { '@type': 'Brand', name: brand } }),
    ...(gtin !== null && { [`gtin${gtin.length}`]: gtin }),
    ...(offers[0] !== undefined && {
      offers: {
        '@type': 'AggregateOffer',
        lowPrice: Math.min(...prices),
        highPrice: Math.max(...prices),
        offerCount: offers.length,
        priceCurrency: offers[0].currency,
        offers: offers.map(({ url, seller, price, currency, availability }) => ({
          '@type': 'Offer',
          url,
          price,
          priceCurrency: currency,
          ...(availability !== null && { availability: `https://schema.org/${availability}` }),
          seller: { '@type': 'Organization', name: seller },
        })),
      },
    }),
  };
}
