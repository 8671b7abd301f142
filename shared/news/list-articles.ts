import { sql } from 'kysely';
import type { Database } from '../database/schema';
import { modifiedAt, type ArticleOutline, type ArticlePage } from './article';
import { toArticles, toOutlines } from './article-rows';
import { withPublicMedia } from './media/public-media';

export interface PageQuery {
  /** Counts from 1. */
  page: number;
  /** Articles on each page. */
  limit: number;
}

/** Which articles a list contains, and the time by which it is ordered. */
interface Listing {
  publishedOnly: boolean;
  newestBy: 'published_at' | 'created_at';
}

/** A literal, so that SQLite uses the partial index of published articles. */
const isPublished = sql<boolean>`published = 1`;

const PUBLIC: Listing = { publishedOnly: true, newestBy: 'published_at' };
const ALL: Listing = { publishedOnly: false, newestBy: 'created_at' };

/** Published articles with their public media, newest publication first, then by descending id. */
export async function listPublishedArticles(db: Database, query: PageQuery): Promise<ArticlePage> {
  return pageOf(db, query, PUBLIC, async (rows) => {
    const articles = await toArticles(db, await rows.selectAll().execute());
    return articles.map(withPublicMedia);
  });
}

/** Like `listPublishedArticles`, without the content. */
export async function listPublishedOutlines(
  db: Database,
  query: PageQuery,
): Promise<ArticlePage<ArticleOutline>> {
  return pageOf(db, query, PUBLIC, async (rows) => {
    const outlines = await readOutlines(db, rows);
    return outlines.map(withPublicMedia);
  });
}

/** All articles, drafts included, newest first, then by descending id. */
export async function listAllArticles(db: Database, query: PageQuery): Promise<ArticlePage> {
  return pageOf(db, query, ALL, async (rows) => toArticles(db, await rows.selectAll().execute()));
}

/** Like `listAllArticles`, without the content. */
export async function listAllOutlines(db: Database, query: PageQuery): Promise<ArticlePage<ArticleOutline>> {
  return pageOf(db, query, ALL, (rows) => readOutlines(db, rows));
}

/** The number of all articles, drafts included, and of published ones. */
export async function countArticles(db: Database): Promise<{ total: number; published: number }> {
  const { total, published } = await db
    .selectFrom('articles')
    .select(({ fn }) => [
      fn.countAll<number>().as('total'),
      fn.sum<number | null>('published').as('published'),
    ])
    .executeTakeFirstOrThrow();
  return { total: Number(total), published: Number(published ?? 0) };
}

async function readOutlines(db: Database, rows: RowsOfPage): Promise<ArticleOutline[]> {
  const read = await rows
    .select([
      'id',
      'title',
      'excerpt',
      'summary',
      'read_time_minutes',
      'published',
      'featured',
      'featured_image_id',
      'author_id',
      'author_username',
      'published_at',
      'created_at',
      'updated_at',
    ])
    .execute();
  return toOutlines(db, read);
}

function rowsOfPage(db: Database, { page, limit }: PageQuery, { publishedOnly, newestBy }: Listing) {
  return db
    .selectFrom('articles')
    .$if(publishedOnly, (rows) => rows.where(isPublished))
    .orderBy(newestBy, 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit);
}

type RowsOfPage = ReturnType<typeof rowsOfPage>;

async function pageOf<Listed extends ArticleOutline>(
  db: Database,
  query: PageQuery,
  listing: Listing,
  read: (rows: RowsOfPage) => Promise<Listed[]>,
): Promise<ArticlePage<Listed>> {
  const { page, limit } = query;
  const { total } = await db
    .selectFrom('articles')
    .$if(listing.publishedOnly, (rows) => rows.where(isPublished))
    .select((row) => row.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return {
    // Past the end there is no query: the offset could exceed SQLite's integers.
    articles: (page - 1) * limit >= Number(total) ? [] : await read(rowsOfPage(db, query, listing)),
    page,
    totalPages: Math.ceil(Number(total) / limit),
    total: Number(total),
  };
}

/** The id and the last change of an article. */
export interface ArticleStamp {
  id: string;
  /** ISO-8601 UTC. */
  modifiedAt: string;
}

/** The stamps of all published articles, newest first. */
export async function listArticleStamps(db: Database): Promise<ArticleStamp[]> {
  const rows = await db
    .selectFrom('articles')
    .select(['id', 'published_at', 'updated_at'])
    .where(isPublished)
    .orderBy('published_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(({ id, published_at, updated_at }) => ({
    id,
    modifiedAt: modifiedAt({ publishedAt: published_at, updatedAt: updated_at }),
  }));
}
