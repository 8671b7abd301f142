import type { ArticleOutline, ImageSource } from '#shared/news/article';
import { withPublicMedia } from '#shared/news/public-media';
import { authorOf, summaryOf } from '#shared/news/article-text';
import { shortened } from './shortened';

/** As much of an excerpt, or else of the text, as a row shows. */
const SUMMARY_LENGTH = 100;
/** A thumbnail's width on the page, times two for fine screens. */
const THUMBNAIL_PX = 224;

/** An article as a row of the admins' list. */
export interface ListedArticle {
  id: string;
  title: string;
  summary: string;
  author: string;
  published: boolean;
  featured: boolean;
  createdAt: string;
  updatedAt: string;
  publishedAt: string | null;
  thumbnail: ImageSource | null;
}

/** The smallest form that is wide enough, else the widest, of the featured image or else the first. */
function thumbnailOf(article: ArticleOutline): ImageSource | null {
  const { media, featuredImageId } = withPublicMedia(article);
  const images = media.filter(({ mediaType }) => mediaType === 'image');
  const { sources = [] } = images.find(({ id }) => id === featuredImageId) ?? images[0] ?? {};
  return sources.find(({ width }) => width >= THUMBNAIL_PX) ?? sources.at(-1) ?? null;
}

/** What a row needs of an article. */
export function toListedArticle(article: ArticleOutline): ListedArticle {
  const { id, title, published, featured, createdAt, updatedAt, publishedAt } = article;
  return {
    id,
    title,
    summary: shortened(summaryOf(article, SUMMARY_LENGTH), SUMMARY_LENGTH),
    author: authorOf(article),
    published,
    featured,
    createdAt,
    updatedAt,
    publishedAt,
    thumbnail: thumbnailOf(article),
  };
}
