import type { MetaDescriptor } from '@remix-run/node';
import { PRODUCT_NAME } from '#shared/brand';
import { shorten } from '#shared/text';
import type { SiteFacts } from './site-facts';
import type { StructuredThing } from './structured-data';

/** The longest description that search engines show, in characters. */
export const DESCRIPTION_LIMIT = 160;

/** A picture that other sites show beside a link to ours. */
export interface ShareImage {
  /** From the site's root. */
  path: string;
  width: number;
  height: number;
  alt: string;
}

/** What our own picture says; it stands in wherever a page has none. */
const SHARE_IMAGE: ShareImage = {
  path: '/share.png',
  width: 1200,
  height: 630,
  alt: `${PRODUCT_NAME}: be in line before the line exists.`,
};

export interface PageFacts {
  /** The whole title, as the browser's tab shows it. */
  title: string;
  /** The title where the site's name stands beside it anyway. */
  shareTitle?: string;
  /** Cut to what search engines show. */
  description: string;
  /** The page's one true address, from the site's root, with its search where that makes another page. */
  path: string;
  /** The site's own address, without a slash at its end. */
  appUrl: string;
  image?: ShareImage;
  /** Of an article; times are ISO-8601. No author: nobody is named. */
  article?: { publishedTime: string; modifiedTime: string; author: string | null };
  /** The neighbours of a page in a row, from the site's root. */
  previousPath?: string | null;
  nextPath?: string | null;
  /** Whether a feed of news belongs to this page. */
  feed?: boolean;
  /** What the page is about, for machines. */
  about?: readonly StructuredThing[];
  /** False: search engines leave it out; it then has no address to name either. */
  indexed?: boolean;
}

/** Where the feed of all news is. */
export const FEED_PATH = '/news/feed.xml';
export const FEED_TITLE = `${PRODUCT_NAME} News`;

/** The text on one line, cut to what search engines show. */
export function describe(text: string): string {
  return shorten(text.replace(/\s+/g, ' ').trim(), { fits: DESCRIPTION_LIMIT });
}

/** The site's own address, from what the root route read; for `meta` functions, which know no hooks. */
export function appUrlOf(matches: readonly { id: string; data?: unknown }[]): string {
  const root = matches.find(({ id }) => id === 'root')?.data as SiteFacts | undefined;
  return root?.appUrl ?? '';
}

function link(rel: string, href: string, more: Record<string, string> = {}): MetaDescriptor {
  return { tagName: 'link', rel, href, ...more };
}

/**
 * What a page says about itself to search engines, link previews and feed readers. Every address is made from
 * APP_URL, whatever host the request named.
 */
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

  descriptors.push(
    link('canonical', url),
    { property: 'og:type', content: article === undefined ? 'website' : 'article' },
    { property: 'og:site_name', content: PRODUCT_NAME },
    { property: 'og:locale', content: 'en_GB' },
    { property: 'og:title', content: shareTitle },
    { property: 'og:description', content: described },
    { property: 'og:url', content: url },
    { property: 'og:image', content: appUrl + image.path },
    { property: 'og:image:width', content: String(image.width) },
    { property: 'og:image:height', content: String(image.height) },
    { property: 'og:image:alt', content: image.alt },
    { name: 'twitter:card', content: 'summary_large_image' },
  );
  if (article !== undefined) {
    descriptors.push(
      { property: 'article:published_time', content: article.publishedTime },
      { property: 'article:modified_time', content: article.modifiedTime },
    );
    // `article:author` would be the address of a profile (ogp.me/#type_article), which nobody has here.
    if (article.author !== null) descriptors.push({ name: 'author', content: article.author });
  }
  if (previousPath !== null) descriptors.push(link('prev', appUrl + previousPath));
  if (nextPath !== null) descriptors.push(link('next', appUrl + nextPath));
  if (feed) {
    descriptors.push(
      link('alternate', appUrl + FEED_PATH, { type: 'application/atom+xml', title: FEED_TITLE }),
    );
  }
  // Remix writes it with `<`, `>`, `&` and the two line separators escaped (its markup.js, escapeHtml).
  if (about.length > 0)
    descriptors.push({ 'script:ld+json': { '@context': 'https://schema.org', '@graph': [...about] } });
  return descriptors;
}
