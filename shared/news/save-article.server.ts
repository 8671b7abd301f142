import { createHash } from 'node:crypto';
import type { Selectable, Updateable } from 'kysely';
import { writeAudit, type Actor } from '../audit/write-audit';
import { toIso, type Clock } from '../clock';
import { bumpContentVersion } from '../content/content-version';
import type { Database, Transaction } from '../database/schema';
import type { ArticlesTable } from '../database/tables/news';
import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import { newId } from '../ids';
import { articleNotFound, type Article } from './article';
import {
  contentRefused,
  TITLE_AND_CONTENT_REQUIRED,
  type ArticleChanges,
  type ArticleFields,
} from './article-fields';
import { HTML_VERSION } from './article-html/article-format';
import { toArticles } from './article-rows';
import { removeMissingImages, recordShownMedia, removeFromTexts } from './media/text-images';
import { removeDeletedUploads, markUploadsDeleted, type StorageContext } from '../storage/upload-records';

/** The fields that an article's form edits. */
type ArticleText = Pick<Article, 'title' | 'content' | 'excerpt' | 'published' | 'featured'>;

/**
 * Identifies a version of an article's text, for optimistic locking. Unlike `updatedAt` it does not change with the
 * article's media, so that one admin can edit the text while another adds images.
 */
export function articleVersion({ title, content, excerpt, published, featured }: ArticleText): string {
  return createHash('sha256')
    .update(JSON.stringify([title, content, excerpt, published, featured]))
    .digest('base64url');
}

type Row = Selectable<ArticlesTable>;

/** An author. Both fields are null when unknown; pages then show 'Admin'. */
export interface Author {
  id: string | null;
  username: string | null;
}

/** The content and the columns that are computed from it. Throws `Invalid` when no text is left. */
async function contentColumns(
  html: string,
): Promise<Pick<Row, 'content' | 'html_version' | 'summary' | 'read_time_minutes'>> {
  const { prepareArticleHtml } = await import('./article-html.server');
  const { content, summary, readTimeMinutes, blank } = prepareArticleHtml(html);
  if (blank) throw contentRefused('invalid', TITLE_AND_CONTENT_REQUIRED);
  return { content, html_version: HTML_VERSION, summary, read_time_minutes: readTimeMinutes };
}

async function toArticle(trx: Transaction, row: Row): Promise<Article> {
  const [article] = await toArticles(trx, [row]);
  if (article === undefined) throw new Error('toArticles returned no article for a row');
  return article;
}

/** Stores a new article. `fields`: parsed by `articleFields`. Throws `Invalid` when the content has no text. */
export async function createArticle(
  db: Database,
  { fields, author, clock }: { fields: ArticleFields; author: Author; clock: Clock },
): Promise<Article> {
  const prepared = await contentColumns(fields.content);
  const published = fields.published ?? false;
  const now = clock.now();
  const at = toIso(now);
  return inTransaction(db, async (trx) => {
    const content = await removeMissingImages(trx, prepared.content);
    const row = await trx
      .insertInto('articles')
      .values({
        id: newId(),
        title: fields.title,
        ...prepared,
        content,
        excerpt: fields.excerpt ?? null,
        published: published ? 1 : 0,
        featured: (fields.featured ?? false) ? 1 : 0,
        author_id: author.id,
        author_username: author.username,
        featured_image_id: null,
        published_at: published ? at : null,
        created_at: at,
        updated_at: at,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await writeAudit(
      trx,
      { actor: { userId: author.id }, action: 'article.create', subject: row.id, details: { published } },
      now,
    );
    await bumpContentVersion(trx);
    return toArticle(trx, row);
  });
}

interface ArticleWrite {
  id: string;
  actor: Actor;
  clock: Clock;
}

/** Changes an article, writes the audit log and bumps the content version, in one transaction. Throws `NotFound`. */
function changeArticle(
  db: Database,
  { id, actor, clock }: ArticleWrite,
  change: (
    before: Row,
    at: string,
    trx: Transaction,
  ) => Promise<{ set: Updateable<ArticlesTable>; action: string; details?: Record<string, unknown> }>,
): Promise<Article> {
  const now = clock.now();
  return inTransaction(db, async (trx) => {
    const before = await trx.selectFrom('articles').selectAll().where('id', '=', id).executeTakeFirst();
    if (before === undefined) throw articleNotFound();
    const { set, action, details } = await change(before, toIso(now), trx);
    const after = { ...before, ...set };
    await trx.updateTable('articles').set(after).where('id', '=', id).execute();
    await writeAudit(trx, { actor, action, subject: id, details: details ?? {} }, now);
    await bumpContentVersion(trx);
    return toArticle(trx, after);
  });
}

/** The columns that publish or unpublish an article. `published_at` keeps the first publication. */
function publishing(before: Row, published: boolean, at: string): Updateable<ArticlesTable> {
  return published ? { published: 1, published_at: before.published_at ?? at } : { published: 0 };
}

/**
 * Changes an article. `changes`: parsed by `articleChanges`. `updatedAt` changes with title, content and excerpt. Images
 * whose files are deleted are removed from the content. `expectedVersion`: the `articleVersion` that the changes are
 * based on; without it, nothing is checked. Throws `NotFound`, `Conflict` for another version, and `Invalid` when the
 * content has no text.
 */
export async function updateArticle(
  db: Database,
  {
    changes,
    expectedVersion,
    ...write
  }: ArticleWrite & { changes: ArticleChanges; expectedVersion?: string },
): Promise<Article> {
  const prepared = changes.content === undefined ? null : await contentColumns(changes.content);
  return changeArticle(db, write, async (before, at, trx) => {
    if (expectedVersion !== undefined && articleVersion(await toArticle(trx, before)) !== expectedVersion) {
      throw new DomainError('Conflict', {
        code: 'article_changed',
        message: 'Someone else has changed this article since you opened it.',
      });
    }
    // A form sends the content with every change; unchanged content is not written again.
    const written =
      prepared === null || changes.content === before.content
        ? {}
        : { ...prepared, content: await removeMissingImages(trx, prepared.content) };
    const text = {
      ...(changes.title !== undefined && { title: changes.title }),
      ...(changes.excerpt !== undefined && { excerpt: changes.excerpt }),
      ...written,
    };
    const rewritten = { ...before, ...text };
    if (rewritten.content !== before.content) {
      await recordShownMedia(trx, { articleId: before.id, html: rewritten.content });
    }
    const textChanged = (['title', 'content', 'excerpt'] as const).some(
      (key) => rewritten[key] !== before[key],
    );
    return {
      set: {
        ...text,
        ...(textChanged && { updated_at: at }),
        ...(changes.published !== undefined && publishing(before, changes.published, at)),
        ...(changes.featured !== undefined && { featured: changes.featured ? 1 : 0 }),
      },
      action: 'article.update',
      details: { fields: Object.keys(changes) },
    };
  });
}

/** Publishes a draft, or unpublishes a published article. Throws `NotFound`. */
export function togglePublished(db: Database, write: ArticleWrite): Promise<Article> {
  return changeArticle(db, write, async (before, at) => {
    const published = before.published === 0;
    return {
      set: publishing(before, published, at),
      action: published ? 'article.publish' : 'article.unpublish',
    };
  });
}

/** Features an article, or stops featuring it. Throws `NotFound`. */
export function toggleFeatured(db: Database, write: ArticleWrite): Promise<Article> {
  return changeArticle(db, write, async (before) => {
    const featured = before.featured === 0;
    return {
      set: { featured: featured ? 1 : 0 },
      action: featured ? 'article.feature' : 'article.unfeature',
    };
  });
}

/** Sets an article's featured image; null for none. Throws `NotFound`, and `Invalid` for videos and others' media. */
export function setFeaturedImage(
  db: Database,
  { mediaId, ...write }: ArticleWrite & { mediaId: string | null },
): Promise<Article> {
  return changeArticle(db, write, async (before, at, trx) => {
    if (mediaId !== null) {
      const media = await trx
        .selectFrom('media')
        .select('media_type')
        .where('id', '=', mediaId)
        .where('article_id', '=', write.id)
        .executeTakeFirst();
      if (media === undefined) throw invalidFeaturedImage('This image does not belong to the article.');
      if (media.media_type !== 'image') throw invalidFeaturedImage('The featured image must be an image.');
    }
    return {
      set: {
        featured_image_id: mediaId,
        ...(mediaId !== before.featured_image_id && { updated_at: at }),
      },
      action: 'article.featured_image',
      details: { mediaId },
    };
  });
}

function invalidFeaturedImage(sentence: string): DomainError {
  return new DomainError('Invalid', {
    code: 'unfit_featured_image',
    message: sentence,
    fieldErrors: { mediaId: [sentence] },
  });
}

/** Deletes an article with its media and files, and its images from the texts of other articles. Throws `NotFound`. */
export async function deleteArticle(
  context: StorageContext,
  { id, actor }: { id: string; actor: Actor },
): Promise<void> {
  const uploadIds = await inTransaction(context.db, async (trx) => {
    const now = context.clock.now();
    const media = await trx.selectFrom('media').select('upload_id').where('article_id', '=', id).execute();
    const article = await trx
      .deleteFrom('articles')
      .where('id', '=', id)
      .returning(['title', 'published'])
      .executeTakeFirst();
    if (article === undefined) throw articleNotFound();
    const ids = media.map(({ upload_id }) => upload_id);
    await removeFromTexts(trx, ids, now);
    await markUploadsDeleted(trx, ids, now);
    if (article.published === 1) await bumpContentVersion(trx);
    await writeAudit(
      trx,
      { actor, action: 'article.delete', subject: id, details: { title: article.title } },
      now,
    );
    return ids;
  });
  await removeDeletedUploads(context, uploadIds);
}
