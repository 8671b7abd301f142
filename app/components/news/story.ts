import type { ArticleOutline, Media } from '#shared/news/article';
import { authorOf, summaryOf } from '#shared/news/article-text';
import { newsDay } from './news-dates';

/** A picture as a page shows it. */
export interface Picture {
  src: string;
  /** Undefined: there is one form only. */
  srcSet: string | undefined;
  width: number;
  height: number;
  alt: string;
}

/** An article as a list shows it: everything in words already. */
export interface Story {
  id: string;
  title: string;
  featured: boolean;
  /** Null: the article has none, and a placeholder stands in. */
  picture: Picture | null;
  summary: string;
  author: string;
  readTime: string;
  published: { iso: string; text: string };
}

/** Null for a film, and for an image whose size is not known. */
export function pictureOf({ mediaType, filePath, sources, width, height, altText }: Media): Picture | null {
  if (mediaType !== 'image' || width === null || height === null) return null;
  return {
    src: filePath,
    srcSet:
      sources.length > 1 ? sources.map((source) => `${source.path} ${source.width}w`).join(', ') : undefined,
    width,
    height,
    alt: altText,
  };
}

/** An article's images, the one that stands for it in front: the featured image, else its first one. */
export function imagesOf({ featuredImageId, media }: ArticleOutline): Media[] {
  const images = media.filter(({ mediaType }) => mediaType === 'image');
  return images.toSorted((a, b) => Number(b.id === featuredImageId) - Number(a.id === featuredImageId));
}

/** The picture that stands for an article wherever there is room for one; null: it has none. */
export function leadingPicture(article: ArticleOutline): Picture | null {
  const [lead] = imagesOf(article);
  return lead === undefined ? null : pictureOf(lead);
}

/** How long an article takes to read. */
export function readTimeOf({ readTimeMinutes }: ArticleOutline): string {
  return `${readTimeMinutes} min read`;
}

/** An article as a story of a list. `summaryLength` in characters. */
export function storyOf(article: ArticleOutline, summaryLength: number): Story {
  const iso = article.publishedAt ?? article.createdAt;
  return {
    id: article.id,
    title: article.title,
    featured: article.featured,
    picture: leadingPicture(article),
    summary: summaryOf(article, summaryLength),
    author: authorOf(article),
    readTime: readTimeOf(article),
    published: { iso, text: newsDay(iso) },
  };
}
