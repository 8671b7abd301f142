import { createHeadingLevels } from '#shared/heading-levels';
import type { Media } from '#shared/news/article';
import { pageSrcSetOf } from '#shared/storage/images/variant-names';
import { uploadIdOf } from '#shared/storage/upload-path';

// A heading's tag as the sanitiser writes it: no text and no attribute holds a bracket.
const HEADING_TAG = /<(\/?)h([1-3])(?=[ >])/g;

/** Content for a page whose title is its `h1`: headings begin with `h2` and leave no level out. Feeds keep them as stored. */
export function nestHeadings(html: string): string {
  const levelOf = createHeadingLevels(1);
  let shown = 0;
  return html.replace(HEADING_TAG, (_, slash: string, level: string) => {
    // A heading contains no heading, so a closing tag has the level of the opening tag before it.
    if (slash === '') shown = levelOf(Number(level));
    return `<${slash}h${shown}`;
  });
}

// An image as the sanitiser writes it: attributes in double quotes, with no bracket or quote inside.
const IMAGE = /<img((?: [a-z]+="[^"<>]*")*)(?: \/)?>/g;
const ATTRIBUTE = / ([a-z]+)="([^"<>]*)"/g;

/** How wide images in the text are shown: the card has paddings of 20 or 40 px inside those of the page. */
const TEXT_SIZES = '(min-width: 52.5rem) 45rem, (min-width: 40rem) calc(100vw - 122px), calc(100vw - 82px)';
/** An image after fewer characters of HTML is visible without scrolling. */
const FIRST_SCREEN = 400;

/** Content with the size and variants of its images, loaded lazily but for one at the top; and the article's media that it does not show. */
export function placeImages(html: string, media: readonly Media[]): { html: string; unplaced: Media[] } {
  const byUpload = new Map(media.map((item) => [uploadIdOf(item.filePath), item]));
  const placed = new Set<Media>();
  let isFirst = true;
  const withImages = html.replace(IMAGE, (_, written: string, offset: number) => {
    const attributes = new Map(
      [...written.matchAll(ATTRIBUTE)].map(([, name = '', value = '']) => [name, value]),
    );
    const upload = uploadIdOf(attributes.get('src') ?? '');
    const item = upload === null ? undefined : byUpload.get(upload);
    if (item?.mediaType === 'image') {
      placed.add(item);
      if (!(attributes.has('width') && attributes.has('height')) && item.width !== null) {
        attributes.set('width', String(item.width));
        attributes.set('height', String(item.height));
      }
      const srcSet = pageSrcSetOf(item.sources);
      if (srcSet !== undefined) {
        attributes.set('srcset', srcSet);
        attributes.set('sizes', TEXT_SIZES);
      }
    }
    if (isFirst && offset < FIRST_SCREEN) attributes.set('fetchpriority', 'high');
    else attributes.set('loading', 'lazy');
    isFirst = false;
    attributes.set('decoding', 'async');
    return `<img${[...attributes].map(([name, value]) => ` ${name}="${value}"`).join('')}>`;
  });
  return { html: withImages, unplaced: media.filter((item) => !placed.has(item)) };
}

// A tag as the sanitiser writes it: no text and no attribute holds a bracket.
const OPENING_TAG = /<[a-z][^<>]*>/g;

/** An article's content for other sites: paths in its tags become absolute addresses. */
export function withAbsoluteAddresses(html: string, appUrl: string): string {
  return html.replace(OPENING_TAG, (tag) => tag.replace(/ (src|href)="\/(?!\/)/g, ` $1="${appUrl}/`));
}
