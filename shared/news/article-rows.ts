import type { Selectable } from 'kysely';
import type { Database } from '../database/schema';
import type { ArticlesTable, MediaTable } from '../database/tables/news';
import type { Article, ArticleOutline, Media, ImageSource } from './article';
import type { StoredShareImage } from '../storage/images/share-image.server';
import { HTML_VERSION } from './article-html/article-format';

type OutlineRow = Omit<Selectable<ArticlesTable>, 'content' | 'html_version'>;

function toOutline(row: OutlineRow, media: Media[]): ArticleOutline {
  return {
    id: row.id,
    title: row.title,
    excerpt: row.excerpt,
    summary: row.summary,
    published: row.published === 1,
    featured: row.featured === 1,
    featuredImageId: row.featured_image_id,
    authorUsername: row.author_username,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    publishedAt: row.published_at,
    readTimeMinutes: row.read_time_minutes,
    media,
  };
}

/** The media of several articles, with one query. */
async function mediaByArticle(
  db: Database,
  rows: readonly Pick<OutlineRow, 'id'>[],
): Promise<(row: Pick<OutlineRow, 'id'>) => Media[]> {
  if (rows.length === 0) return () => [];
  const ids = rows.map((row) => row.id);
  const media = await db
    .selectFrom('media')
    .selectAll()
    .where('article_id', 'in', ids)
    .orderBy('display_order')
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const byArticle = new Map<string, Media[]>(ids.map((id) => [id, []]));
  for (const row of media) byArticle.get(row.article_id)?.push(mediaOf(row));
  return (row) => byArticle.get(row.id) ?? [];
}

/** The sanitised content of a row. Content that another version of the sanitiser wrote is sanitised now. */
export async function sanitisedContent({
  content,
  html_version,
}: Pick<Selectable<ArticlesTable>, 'content' | 'html_version'>): Promise<string> {
  if (html_version === HTML_VERSION) return content;
  const { prepareArticleHtml } = await import('./article-html.server');
  return prepareArticleHtml(content).content;
}

/** Converts rows to articles with their media, in the same order. */
export async function toArticles(
  db: Database,
  rows: readonly Selectable<ArticlesTable>[],
): Promise<Article[]> {
  const mediaFor = await mediaByArticle(db, rows);
  return Promise.all(
    rows.map(async (row) => ({ ...toOutline(row, mediaFor(row)), content: await sanitisedContent(row) })),
  );
}

/** Like `toArticles`, for rows without content. */
export async function toOutlines(db: Database, rows: readonly OutlineRow[]): Promise<ArticleOutline[]> {
  const mediaFor = await mediaByArticle(db, rows);
  return rows.map((row) => toOutline(row, mediaFor(row)));
}

/** Converts a row of `media` to the type that pages and the API use. */
export function mediaOf(row: Selectable<MediaTable>): Media {
  return {
    id: row.id,
    mediaType: row.media_type,
    placement: row.placement,
    inText: row.in_text === 1,
    filePath: row.file_path,
    altText: row.alt_text,
    caption: row.caption,
    displayOrder: row.display_order,
    originalName: row.original_name,
    fileSize: row.file_size,
    width: row.width,
    height: row.height,
    // These columns are written from the same types only.
    sources: JSON.parse(row.sources) as ImageSource[],
    shareImage: row.share_image === null ? null : (JSON.parse(row.share_image) as StoredShareImage),
  };
}
