import { PRODUCT_NAME } from '#shared/brand';
import type { ShareImage } from './share-image';

/** A schema.org Thing as JSON-LD. */
export type StructuredThing = Record<string, JsonValue> & { '@type': string };

type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** The square logo image; `side` in pixels. */
const LOGO = { path: '/apple-touch-icon.png', side: 180 } as const;

function organizationId(appUrl: string): string {
  return `${appUrl}/#organization`;
}

/** The site's operator (schema.org/Organization). Here and below `appUrl` has no trailing slash. */
export function organization(appUrl: string): StructuredThing {
  return {
    '@type': 'Organization',
    '@id': organizationId(appUrl),
    name: PRODUCT_NAME,
    url: `${appUrl}/`,
    logo: {
      '@type': 'ImageObject',
      url: appUrl + LOGO.path,
      width: LOGO.side,
      height: LOGO.side,
    },
  };
}

/** The site (schema.org/WebSite). It refers to `organization`, which the page must include as well. */
export function webSite(appUrl: string): StructuredThing {
  return {
    '@type': 'WebSite',
    '@id': `${appUrl}/#website`,
    name: PRODUCT_NAME,
    url: `${appUrl}/`,
    inLanguage: 'en-GB',
    publisher: { '@id': organizationId(appUrl) },
  };
}

export interface NewsArticleFacts {
  appUrl: string;
  /** Root-relative. */
  path: string;
  headline: string;
  description: string;
  /** Null: the organization is the author. */
  author: string | null;
  /** ISO-8601. */
  publishedTime: string;
  modifiedTime: string;
  /** The best image first. */
  images: readonly ShareImage[];
}

/** An image (schema.org/ImageObject). */
function imageObject(appUrl: string, { path, type, width, height, alt }: ShareImage): StructuredThing {
  return {
    '@type': 'ImageObject',
    url: appUrl + path,
    encodingFormat: type,
    width,
    height,
    description: alt,
  };
}

/** An article (schema.org/NewsArticle, developers.google.com/search/docs/appearance/structured-data/article). */
export function newsArticle(facts: NewsArticleFacts): StructuredThing {
  const { appUrl, path, headline, description, author, publishedTime, modifiedTime, images } = facts;
  return {
    '@type': 'NewsArticle',
    '@id': `${appUrl}${path}#article`,
    mainEntityOfPage: { '@type': 'WebPage', '@id': appUrl + path },
    headline,
    description,
    image: images.map((image) => imageObject(appUrl, image)),
    datePublished: publishedTime,
    dateModified: modifiedTime,
    inLanguage: 'en-GB',
    author: author === null ? organization(appUrl) : { '@type': 'Person', name: author },
    publisher: organization(appUrl),
  };
}

/** The page's position in the site (schema.org/BreadcrumbList); the last entry of `trail` is the page itself. */
export function breadcrumbs(
  appUrl: string,
  trail: readonly { name: string; path: string }[],
): StructuredThing {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: trail.map(({ name, path }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: appUrl + path,
    })),
  };
}

/** An offer of a shop (schema.org/Offer). */
export interface OfferFacts {
  url: string;
  seller: string;
  /** In units of `currency` (ISO 4217). */
  price: number;
  currency: string;
  /** A term of schema.org/ItemAvailability; null: unknown. */
  availability: 'InStock' | 'LimitedAvailability' | 'PreOrder' | 'OutOfStock' | null;
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
