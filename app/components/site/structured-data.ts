import { PRODUCT_NAME } from '#shared/brand';

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
