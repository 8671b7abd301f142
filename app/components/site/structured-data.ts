import { PRODUCT_NAME } from '#shared/brand';

/** What schema.org calls a thing, as JSON-LD. */
export type StructuredThing = Record<string, JsonValue> & { '@type': string };

type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** Our mark, as a picture of that many pixels a side. */
const LOGO = { path: '/apple-touch-icon.png', side: 180 } as const;

function organizationId(appUrl: string): string {
  return `${appUrl}/#organization`;
}

/** Who runs the site (schema.org/Organization). `appUrl` has no slash at its end, here and below. */
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

/** The site (schema.org/WebSite); `organization` stands beside it. */
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
  /** From the site's root. */
  path: string;
  headline: string;
  description: string;
  /** Null: nobody is named, and the site speaks for itself. */
  author: string | null;
  /** ISO-8601. */
  publishedTime: string;
  modifiedTime: string;
  /** Absolute addresses, the best first. */
  images: readonly string[];
}

/** One story (schema.org/NewsArticle, developers.google.com/search/docs/appearance/structured-data/article). */
export function newsArticle(facts: NewsArticleFacts): StructuredThing {
  const { appUrl, path, headline, description, author, publishedTime, modifiedTime, images } = facts;
  return {
    '@type': 'NewsArticle',
    '@id': `${appUrl}${path}#article`,
    mainEntityOfPage: { '@type': 'WebPage', '@id': appUrl + path },
    headline,
    description,
    image: [...images],
    datePublished: publishedTime,
    dateModified: modifiedTime,
    inLanguage: 'en-GB',
    author: author === null ? organization(appUrl) : { '@type': 'Person', name: author },
    publisher: organization(appUrl),
  };
}

/** Where a page stands in the site (schema.org/BreadcrumbList); the last one is the page itself. */
export function breadcrumbs(
  appUrl: string,
  trail: readonly { name: string; path: string }[],
): StructuredThing {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: trail.map(({ name, path }, at) => ({
      '@type': 'ListItem',
      position: at + 1,
      name,
      item: appUrl + path,
    })),
  };
}
