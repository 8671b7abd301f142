import { Parser } from 'htmlparser2';
import { LRUCache } from 'lru-cache';
import type { Article, Media } from '#shared/news/article';
import { sanitiseArticleHtml } from '#shared/news/article-html.server';
import { uploadIdOf } from '#shared/storage/upload-path';

/** Characters of content, before and after, of the articles that are read most. */
const MOST_CHARACTERS = 8 * 1024 * 1024;

/**
 * What the sanitiser made of an article's content. Sanitising is slow, and what is in the database is not trusted: a
 * result counts only for the very text that it was made from.
 */
const sanitised = new LRUCache<string, { content: string; html: string }>({
  maxSize: MOST_CHARACTERS,
  sizeCalculation: ({ content, html }) => content.length + html.length + 1,
});

/** An article's content, sanitised again since it was read. */
export function trustedContent({ id, content }: Pick<Article, 'id' | 'content'>): string {
  const known = sanitised.get(id);
  if (known?.content === content) return known.html;
  const html = sanitiseArticleHtml(content);
  sanitised.set(id, { content, html });
  return html;
}

/** An article for those who read it through the API: they are told that its HTML may be shown as it is. */
export function withTrustedContent<Read extends Pick<Article, 'id' | 'content'>>(article: Read): Read {
  return { ...article, content: trustedContent(article) };
}

// A heading's tag as the sanitiser writes it: no text and no attribute holds a bracket.
const HEADING_TAG = /<(\/?)h([1-3])(?=[ >])/g;

/**
 * Sanitised content for a page whose title is its `h1`: each heading one level lower than it is stored. What is stored,
 * and what feeds and the API give, stays as it was written.
 */
export function lowerHeadings(html: string): string {
  return html.replace(HEADING_TAG, (_, slash: string, level: string) => `<${slash}h${Number(level) + 1}`);
}

// An image as the sanitiser writes it: attributes in double quotes, with no bracket or quote inside.
const IMAGE = /<img((?: [a-z]+="[^"<>]*")*)(?: \/)?>/g;
const ATTRIBUTE = / ([a-z]+)="([^"<>]*)"/g;

/** How wide pictures in the text are shown. */
const TEXT_SIZES = '(min-width: 50rem) 42rem, calc(100vw - 40px)';

/**
 * An article's content with its pictures measured, in every form we have, and fetched when they come into sight; and
 * the article's media that are nowhere in the content.
 */
export function placePictures(html: string, media: readonly Media[]): { html: string; unplaced: Media[] } {
  const byUpload = new Map(media.map((item) => [uploadIdOf(item.filePath), item]));
  const placed = new Set<Media>();
  const withPictures = html.replace(IMAGE, (_, written: string) => {
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
      if (item.sources.length > 1) {
        attributes.set('srcset', item.sources.map(({ path, width }) => `${path} ${width}w`).join(', '));
        attributes.set('sizes', TEXT_SIZES);
      }
    }
    attributes.set('loading', 'lazy');
    attributes.set('decoding', 'async');
    return `<img${[...attributes].map(([name, value]) => ` ${name}="${value}"`).join('')}>`;
  });
  return { html: withPictures, unplaced: media.filter((item) => !placed.has(item)) };
}

/** An article's content for readers elsewhere: addresses on this site, in its tags alone, become whole ones. */
export function withAbsoluteAddresses(html: string, appUrl: string): string {
  let absolute = '';
  let done = 0;
  const parser = new Parser({
    onopentag() {
      // As the sanitiser writes it, with every quote inside an attribute's value escaped.
      const tag = html.slice(parser.startIndex, parser.endIndex + 1);
      absolute += html.slice(done, parser.startIndex);
      absolute += tag.replace(/ (src|href)="\/(?!\/)/g, ` $1="${appUrl}/`);
      done = parser.endIndex + 1;
    },
  });
  parser.end(html);
  return absolute + html.slice(done);
}
