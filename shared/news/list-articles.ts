import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema';
import type { ArticleOutline, ArticlePage } from './article';
import { toArticles, toOutlines } from './article-rows';
import { withPublicMedia } from './public-media';

export interface PageAsked {
  /** From 1. */
  page: number;
  /** Articles on each page. */
  limit: number;
}

/** Which articles, and by which time the newest of them is told. */
interface Shelf {
  publishedOnly: boolean;
  newestBy: 'published_at' | 'created_at';
}

const PUBLIC: Shelf = { publishedOnly: true, newestBy: 'published_at' };
const WHOLE: Shelf = { publishedOnly: false, newestBy: 'created_at' };

/** What the public may read, first published last; among equals the greater id goes first. */
export async function listPublishedArticles(db: Kysely<Schema>, asked: PageAsked): Promise<ArticlePage> {
  return pageOf(db, asked, PUBLIC, async (rows) => {
    const articles = await toArticles(db, await rows.selectAll().execute());
    return articles.map(withPublicMedia);
  });
}

/** The same without the texts, which no list of ours shows and which are most of what there is to read. */
export async function listPublishedOutlines(
  db: Kysely<Schema>,
  asked: PageAsked,
): Promise<ArticlePage<ArticleOutline>> {
  return pageOf(db, asked, PUBLIC, async (rows) => {
    const outlines = await readOutlines(db, rows);
    return outlines.map(withPublicMedia);
  });
}

/** Everything, drafts too, first created last; among equals the greater id goes first. */
export async function listAllArticles(db: Kysely<Schema>, asked: PageAsked): Promise<ArticlePage> {
  return pageOf(db, asked, WHOLE, async (rows) => toArticles(db, await rows.selectAll().execute()));
}

/** The same without the texts. */
export async function listAllOutlines(
  db: Kysely<Schema>,
  asked: PageAsked,
): Promise<ArticlePage<ArticleOutline>> {
  return pageOf(db, asked, WHOLE, (rows) => readOutlines(db, rows));
}

/** How many articles there are, drafts too, and how many of them are published. */
export async function countArticles(db: Kysely<Schema>): Promise<{ total: number; published: number }> {
  const { total, published } = await db
    .selectFrom('articles')
    .select(({ fn }) => [
      fn.countAll<number>().as('total'),
      fn.sum<number | null>('published').as('published'),
    ])
    .executeTakeFirstOrThrow();
  return { total: Number(total), published: Number(published ?? 0) };
}

async function readOutlines(db: Kysely<Schema>, rows: RowsOfPage): Promise<ArticleOutline[]> {
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

function rowsOfPage(db: Kysely<Schema>, { page, limit }: PageAsked, { publishedOnly, newestBy }: Shelf) {
  return db
    .selectFrom('articles')
    .$if(publishedOnly, (query) => query.where('published', '=', 1))
    .orderBy(newestBy, 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit);
}

type RowsOfPage = ReturnType<typeof rowsOfPage>;

async function pageOf<Listed extends ArticleOutline>(
  db: Kysely<Schema>,
  asked: PageAsked,
  shelf: Shelf,
  read: (rows: RowsOfPage) => Promise<Listed[]>,
): Promise<ArticlePage<Listed>> {
  const { page, limit } = asked;
  const { total } = await db
    .selectFrom('articles')
    .$if(shelf.publishedOnly, (query) => query.where('published', '=', 1))
    .select((row) => row.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return {
    // Past the end nothing is asked: such an offset may be no number that a database takes.
    articles: (page - 1) * limit >= Number(total) ? [] : await read(rowsOfPage(db, asked, shelf)),
    page,
    totalPages: Math.ceil(Number(total) / limit),
    total: Number(total),
  };
}
