import { redirect } from '@remix-run/node';
import type { Viewer } from '#shared/accounts/account';
import { modifiedAt, type Article, type ArticleOutline, type Media } from '#shared/news/article';
import { authorOf, MAX_SUMMARY_LENGTH, summaryOf } from '#shared/news/article-text';
import { findPublishedArticle, previewArticle } from '#shared/news/find-article';
import { previewFields } from '#shared/news/preview-article.server';
import { listPublishedOutlines } from '#shared/news/list-articles';
import { SHARE_IMAGE_TYPE } from '#shared/storage/images/share-image.server';
import { galleryOf } from '#shared/news/media/public-media';
import type { ArticleFacts, ArticleView, GalleryItem } from '~/components/news/article-view';
import { newsMoment } from '~/components/news/news-dates';
import { newsPath } from '~/components/site/site-links';
import { SHARE_IMAGE, type ShareImage } from '~/components/site/share-image';
import { imagesOf, pageImageOf, readTimeOf, storyOf, type Story } from '~/components/news/story';
import { nestHeadings, placeImages } from './article-html.server';
import { newsIsOn } from '../site-state.server';
import { serverContext } from '../../../http/server/context.server';

const STORIES_PER_PAGE = 9;
const SUMMARY_LENGTH = 200;
const HERO_SUMMARY_LENGTH = 250;

/** Throws a redirect to the landing page while the news section is off, for admins too. */
export async function requireNews(): Promise<void> {
  if (!(await newsIsOn())) throw redirect('/');
}

export interface NewsPage {
  page: number;
  totalPages: number;
  /** The first featured article of the first page. */
  hero: Story | null;
  stories: Story[];
  /** The list could not be read; it is shown empty. */
  failed: boolean;
}

/** The page number in the address; null for an invalid one. */
function pageOf(request: Request): number | null {
  const given = new URL(request.url).searchParams.get('page') ?? '1';
  return /^[1-9]\d{0,5}$/.test(given) ? Number(given) : null;
}

function inHeroAndRest(
  articles: readonly ArticleOutline[],
  page: number,
): Pick<NewsPage, 'hero' | 'stories'> {
  const hero = page === 1 ? articles.find(({ featured }) => featured) : undefined;
  return {
    hero: hero === undefined ? null : storyOf(hero, HERO_SUMMARY_LENGTH),
    stories: articles
      .filter((article) => article !== hero)
      .map((article) => storyOf(article, SUMMARY_LENGTH)),
  };
}

/** The stories of one page, and the number of pages, which is at least 1. */
function readListing(page: number): Promise<Pick<NewsPage, 'totalPages' | 'hero' | 'stories'>> {
  const { db, loaderCache } = serverContext();
  return loaderCache.get(`news page ${page}`, async () => {
    const { articles, totalPages } = await listPublishedOutlines(db, { page, limit: STORIES_PER_PAGE });
    return { totalPages: Math.max(1, totalPages), ...inHeroAndRest(articles, page) };
  });
}

/** The news list that a request names. Redirects to the first page for an invalid number, to the last for one past it. */
export async function readNewsPage(request: Request): Promise<NewsPage> {
  const page = pageOf(request);
  if (page === null) throw redirect(newsPath(1));
  try {
    const listing = await readListing(page);
    if (page > listing.totalPages) throw redirect(newsPath(listing.totalPages));
    return { page, ...listing, failed: false };
  } catch (error) {
    if (error instanceof Response) throw error;
    serverContext().outages.failed(error, 'the news list could not be read');
    return { page: 1, totalPages: 1, hero: null, stories: [], failed: true };
  }
}

type WholeArticle = ArticleView & { html: string };

/** What the page of an article shows, or why it shows none. */
export type ArticlePageData =
  | { kind: 'article'; article: WholeArticle; facts: ArticleFacts }
  | { kind: 'missing' }
  | { kind: 'failed' };

function galleryItem(item: Media): GalleryItem | null {
  const { id, caption, mediaType, filePath, altText, width, height } = item;
  if (mediaType === 'video')
    return { id, caption, kind: 'video', src: filePath, label: altText || caption || null, width, height };
  const image = pageImageOf(item);
  return image === null ? null : { id, caption, kind: 'image', image };
}

function viewOf(article: Article): WholeArticle {
  const { html, unplaced } = placeImages(nestHeadings(article.content), article.media);
  const published =
    article.published && article.publishedAt !== null
      ? { iso: article.publishedAt, text: newsMoment(article.publishedAt) }
      : null;
  const modified = modifiedAt(article);
  const updated = { iso: modified, text: newsMoment(modified) };
  // Within the same minute both times would read the same.
  const isLater = published !== null && updated.text !== published.text;
  return {
    id: article.id,
    title: article.title,
    draft: !article.published,
    featured: article.featured,
    excerpt: article.excerpt,
    author: authorOf(article),
    published,
    withdrawn: !article.published && article.publishedAt !== null,
    updated: isLater ? updated : null,
    readTime: readTimeOf(article),
    html,
    gallery: galleryOf(article.media, unplaced)
      .toSorted((one, other) => one.displayOrder - other.displayOrder)
      .map(galleryItem)
      .filter((item) => item !== null),
  };
}

/** An article's images for link previews; ours for an article without one, or while none is made. */
function shareImagesOf(article: Article): ArticleFacts['shareImages'] {
  const [first, ...others] = imagesOf(article).flatMap(({ shareImage, altText }): ShareImage[] => {
    if (shareImage === null) return [];
    const { path, width, height } = shareImage;
    return [{ path, type: SHARE_IMAGE_TYPE, width, height, alt: altText || article.title }];
  });
  return first === undefined ? [SHARE_IMAGE] : [first, ...others];
}

function factsOf(article: Article): ArticleFacts {
  return {
    description: summaryOf(article, MAX_SUMMARY_LENGTH),
    author: article.authorUsername,
    publishedTime: article.publishedAt ?? article.createdAt,
    modifiedTime: modifiedAt(article),
    shareImages: shareImagesOf(article),
  };
}

function shown(article: Article | null): ArticlePageData {
  if (article === null) return { kind: 'missing' };
  return { kind: 'article', article: viewOf(article), facts: factsOf(article) };
}

/** What an article's form contains, as its page would show it. Stores nothing. */
export async function readPreview(input: Parameters<typeof previewFields>[1]): Promise<ArticleView> {
  return viewOf(await previewFields(serverContext().db, input));
}

async function readForAdmins(id: string): Promise<ArticlePageData> {
  return shown(await previewArticle(serverContext().db, id));
}

function readForAll(id: string): Promise<ArticlePageData> {
  const { db, loaderCache } = serverContext();
  return loaderCache.get(`article ${id}`, async () => shown(await findPublishedArticle(db, id)));
}

/** The article with this id, a draft for admins only. */
export async function readArticlePage(
  request: Request,
  { id, viewer }: { id: string; viewer: Viewer | null },
): Promise<ArticlePageData> {
  try {
    return await (viewer?.account.role === 'admin' ? readForAdmins(id) : readForAll(id));
  } catch (error) {
    serverContext().outages.failed(error, 'an article could not be read');
    return { kind: 'failed' };
  }
}
