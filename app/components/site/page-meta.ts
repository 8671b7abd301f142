import type { MetaDescriptor } from '@remix-run/node';
import { PRODUCT_NAME } from '#shared/brand';
import { shorten } from '#shared/text';
import { SHARE_IMAGE, type ShareImage } from './share-image';
import type { SiteFacts } from './site-facts';
import type { StructuredThing } from './structured-data';

/** The longest description that search engines show, in characters. */
export const DESCRIPTION_LIMIT = 160;

/** The smallest image of a large card on X (developer.x.com, "Summary Card with Large Image"). */
const LARGE_CARD = { width: 300, height: 157 } as const;

export interface PageFacts {
  /** The full title, for the browser's tab. */
  title: string;
  /** The title without the site's name, for link previews, which show that name separately. */
  shareTitle?: string;
  /** Shortened to `DESCRIPTION_LIMIT`. */
  description: string;
  /** The canonical path, with its search parameters if they select another page. */
  path: string;
  /** The site's base URL, without a trailing slash. */
  appUrl: string;
  image?: ShareImage;
  /** For an article; times are ISO-8601. `author` is null if the article names none. */
  article?: { publishedTime: string; modifiedTime: string; author: string | null };
  /** Paths of the neighbouring pages of a paginated list. */
  previousPath?: string | null;
  nextPath?: string | null;
  /** Whether the page links to the news feed. */
  feed?: boolean;
  /** Structured data (JSON-LD). */
  about?: readonly StructuredThing[];
  /** False: noindex, and no canonical URL. */
  indexed?: boolean;
}

export const FEED_PATH = '/news/feed.xml';
export const FEED_TITLE = `${PRODUCT_NAME} News`;

/** Returns the text on one line, shortened to `DESCRIPTION_LIMIT`. */
export function describe(text: string): string {
  return shorten(text.replace(/\s+/g, ' ').trim(), { fits: DESCRIPTION_LIMIT });
}

/** Returns the site's base URL from the root loader's data; for `meta` functions, which cannot use hooks. */
export function appUrlOf(matches: readonly { id: string; data?: unknown }[]): string {
  const root = matches.find(({ id }) => id === 'root')?.data as SiteFacts | undefined;
  return root?.appUrl ?? '';
}

function link(rel: string, href: string, more: Record<string, string> = {}): MetaDescriptor {
  return { tagName: 'link', rel, href, ...more };
}

/** A page's meta descriptors: title, description, canonical URL, Open Graph, feed, structured data. URLs are of APP_URL. */
export function pageMeta({
  title,
  shareTitle = title,
  description,
  path,
  appUrl,
  image = SHARE_IMAGE,
  article,
  previousPath = null,
  nextPath = null,
  feed = false,
  about = [],
  indexed = true,
}: PageFacts): MetaDescriptor[] {
  const described = describe(description);
  const url = appUrl + path;
  const descriptors: MetaDescriptor[] = [{ title }, { name: 'description', content: described }];
  if (!indexed) return [...descriptors, { name: 'robots', content: 'noindex' }];

  const isLarge = image.width >= LARGE_CARD.width && image.height >= LARGE_CARD.height;
  descriptors.push(
    link('canonical', url),
    { property: 'og:type', content: article === undefined ? 'website' : 'article' },
    { property: 'og:site_name', content: PRODUCT_NAME },
    { property: 'og:locale', content: 'en_GB' },
    { property: 'og:title', content: shareTitle },
    { property: 'og:description', content: described },
    { property: 'og:url', content: url },
    { property: 'og:image', content: appUrl + image.path },
    { property: 'og:image:type', content: image.type },
    { property: 'og:image:width', content: String(image.width) },
    { property: 'og:image:height', content: String(image.height) },
    { property: 'og:image:alt', content: image.alt },
    { name: 'twitter:card', content: isLarge ? 'summary_large_image' : 'summary' },
    // X does not read og:image:alt.
    { name: 'twitter:image:alt', content: image.alt },
  );
  if (article !== undefined) {
    descriptors.push(
      { property: 'article:published_time', content: article.publishedTime },
      { property: 'article:modified_time', content: article.modifiedTime },
    );
    // `article:author` must be the URL of a profile (ogp.me/#type_article); authors have none here.
    if (article.author !== null) descriptors.push({ name: 'author', content: article.author });
  }
  if (previousPath !== null) descriptors.push(link('prev', appUrl + previousPath));
  if (nextPath !== null) descriptors.push(link('next', appUrl + nextPath));
  if (feed) {
    descriptors.push(
      link('alternate', appUrl + FEED_PATH, { type: 'application/atom+xml', title: FEED_TITLE }),
    );
  }
  // Remix escapes `<`, `>`, `&` and the two line separators (markup.js, escapeHtml).
  if (about.length > 0)
    descriptors.push({ 'script:ld+json': { '@context': 'https://schema.org', '@graph': [...about] } });
  return descriptors;
}
