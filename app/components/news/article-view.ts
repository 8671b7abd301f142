import type { Picture } from './story';

/** A moment as a page shows it. */
export interface Moment {
  iso: string;
  text: string;
}

/** One thing of an article's gallery. */
export type GalleryItem = { id: string; caption: string } & (
  | { kind: 'image'; picture: Picture }
  | {
      kind: 'video';
      src: string;
      /** What is to be seen; null: nobody said. */
      label: string | null;
      width: number | null;
      height: number | null;
    }
);

/** An article as its page shows it: everything in words already. */
export interface ArticleView {
  id: string;
  title: string;
  /** Not published: only admins see it. */
  draft: boolean;
  featured: boolean;
  excerpt: string | null;
  author: string;
  /** Null for a draft. */
  published: Moment | null;
  /** A draft that was published before. */
  withdrawn: boolean;
  /** When it was changed after that; null: it was not. */
  updated: Moment | null;
  readTime: string;
  /** Sanitised just now; its headings begin at the second level. */
  html: string;
  gallery: GalleryItem[];
}

/** What an article says of itself to machines. */
export interface ArticleFacts {
  description: string;
  /** Null: nobody is named. */
  author: string | null;
  publishedTime: string;
  modifiedTime: string;
  /** The one that stands for it. */
  image: Picture | null;
  /** Every picture, that one first; from the site's root. */
  imagePaths: string[];
}
