import { DomainError } from '../errors';
import type { StoredShareImage } from '../storage/images/share-image.server';

/** One variant of an image: a copy with its own width. */
export interface ImageSource {
  /** `/uploads/…` */
  path: string;
  width: number;
  height: number;
}

/** An image or a video of an article. */
export interface Media {
  id: string;
  mediaType: 'image' | 'video';
  /** `gallery`: shown with the article; `text`: an inline image, shown only where the text contains it. */
  placement: 'gallery' | 'text';
  /** Whether the article's saved text shows it. */
  inText: boolean;
  /** `/uploads/…`; for an image its largest variant. */
  filePath: string;
  altText: string;
  caption: string;
  displayOrder: number;
  originalName: string;
  /** Bytes. */
  fileSize: number;
  /** Pixels; both null for a video of unknown size. */
  width: number | null;
  height: number | null;
  /** The variants of an image, narrowest first; empty for videos. */
  sources: ImageSource[];
  /** The JPEG of an image for link previews and feeds; null until it is made, and for videos. */
  shareImage: StoredShareImage | null;
}

/** An article, for pages and the API. Times are ISO-8601 UTC. */
export interface Article {
  id: string;
  title: string;
  /** Sanitised HTML. */
  content: string;
  /** Written by the author; null for none. */
  excerpt: string | null;
  /** The first `MAX_SUMMARY_LENGTH` characters of the content without markup. */
  summary: string;
  published: boolean;
  featured: boolean;
  featuredImageId: string | null;
  /** Null when unknown; pages then show 'Admin'. */
  authorUsername: string | null;
  createdAt: string;
  updatedAt: string;
  /** The first publication; null when it was never published. */
  publishedAt: string | null;
  readTimeMinutes: number;
  /** In display order. */
  media: Media[];
}

/** An article without its content, for lists. */
export type ArticleOutline = Omit<Article, 'content'>;

/** One page of a list. `page` counts from 1; a page past the end is empty. */
export interface ArticlePage<Listed extends ArticleOutline = Article> {
  articles: Listed[];
  page: number;
  totalPages: number;
  total: number;
}

/** When an article last changed, as ISO-8601 UTC: the later of its first publication and its last update. */
export function modifiedAt({
  publishedAt,
  updatedAt,
}: {
  publishedAt: string | null;
  updatedAt: string;
}): string {
  return publishedAt !== null && publishedAt > updatedAt ? publishedAt : updatedAt;
}

export function articleNotFound(): DomainError {
  return new DomainError('NotFound', { code: 'article_not_found', message: 'Article Not Found' });
}

export function mediaNotFound(): DomainError {
  return new DomainError('NotFound', { code: 'media_not_found', message: 'Media Not Found' });
}
