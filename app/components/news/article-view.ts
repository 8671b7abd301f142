import type { ShareImage } from '../site/share-image';
import type { PageImage } from './story';

/** A time and its text on the page. */
export interface Moment {
  iso: string;
  text: string;
}

/** An image or video of an article's gallery. */
export type GalleryItem = { id: string; caption: string } & (
  | { kind: 'image'; image: PageImage }
  | {
      kind: 'video';
      src: string;
      /** The accessible name; null if there is neither alternative text nor caption. */
      label: string | null;
      width: number | null;
      height: number | null;
    }
);

/** An article, formatted for its page. */
export interface ArticleView {
  id: string;
  title: string;
  /** Unpublished: visible to admins only. */
  draft: boolean;
  featured: boolean;
  excerpt: string | null;
  author: string;
  /** Null for a draft. */
  published: Moment | null;
  /** A draft that was published before. */
  withdrawn: boolean;
  /** The last change after publication; null if there was none. */
  updated: Moment | null;
  readTime: string;
  /** Sanitised; its headings start at the second level. Null: the document has it; see `StaticHtml`. */
  html: string | null;
  gallery: GalleryItem[];
}

/** An article's data for meta tags and structured data. */
export interface ArticleFacts {
  description: string;
  /** Null if the article names no author. */
  author: string | null;
  publishedTime: string;
  modifiedTime: string;
  /** For link previews: the featured image first, never empty. */
  shareImages: [ShareImage, ...ShareImage[]];
}
