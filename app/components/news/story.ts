import type { ArticleOutline, Media } from '#shared/news/article';
import { authorOf, summaryOf } from '#shared/news/article-text';
import { pageSrcSetOf } from '#shared/storage/images/variant-names';
import { newsDay } from './news-dates';

/** An image with the attributes of its `img` element. */
export interface PageImage {
  src: string;
  /** Undefined if there is only one size. */
  srcSet: string | undefined;
  width: number;
  height: number;
  alt: string;
}

/** An article, formatted for a list. */
export interface Story {
  id: string;
  title: string;
  featured: boolean;
  /** Null: a placeholder is shown. */
  image: PageImage | null;
  summary: string;
  author: string;
  readTime: string;
  published: { iso: string; text: string };
}

/** Returns an image's attributes; null for a video or an image of unknown size. */
export function pageImageOf({
  mediaType,
  filePath,
  sources,
  width,
  height,
  altText,
}: Media): PageImage | null {
  if (mediaType !== 'image' || width === null || height === null) return null;
  return {
    src: filePath,
    srcSet: pageSrcSetOf(sources),
    width,
    height,
    alt: altText,
  };
}

/** Returns an article's images, the featured one first. */
export function imagesOf({ featuredImageId, media }: ArticleOutline): Media[] {
  const images = media.filter(({ mediaType }) => mediaType === 'image');
  return images.toSorted((a, b) => Number(b.id === featuredImageId) - Number(a.id === featuredImageId));
}

/** Returns an article's featured image, else its first one; null if it has none. */
function leadImage(article: ArticleOutline): PageImage | null {
  const [lead] = imagesOf(article);
  return lead === undefined ? null : pageImageOf(lead);
}

/** Formats an article's reading time. */
export function readTimeOf({ readTimeMinutes }: ArticleOutline): string {
  return `${readTimeMinutes} min read`;
}

/** Formats an article for a list. `summaryLength`: in characters. */
export function storyOf(article: ArticleOutline, summaryLength: number): Story {
  const iso = article.publishedAt ?? article.createdAt;
  return {
    id: article.id,
    title: article.title,
    featured: article.featured,
    image: leadImage(article),
    summary: summaryOf(article, summaryLength),
    author: authorOf(article),
    readTime: readTimeOf(article),
    published: { iso, text: newsDay(iso) },
  };
}
