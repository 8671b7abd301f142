import type { Transaction } from 'kysely';
import { writeAudit, type Actor } from '../audit/write-audit';
import { toIso } from '../clock';
import type { Schema } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { newId } from '../ids';
import type { StagedFile } from '../storage/file-rule';
import { abandonUpload, beginUpload, keepUpload, type StorageContext } from '../storage/upload-ledger';
import type { Media } from './article';
import { storeMediaFiles } from './media-files.server';
import { mediaOf } from './media-record';
import { articleNotFound } from './media-refusals';
import { touchArticle } from './touch-article';

export interface NewMedia {
  articleId: string;
  /** Is gone afterwards, whatever happens. */
  file: StagedFile;
  altText?: string;
  caption?: string;
  /** After the article's last when it is left out. */
  displayOrder?: number;
  actor: Actor;
}

async function nextOrder(trx: Transaction<Schema>, articleId: string): Promise<number> {
  const { last } = await trx
    .selectFrom('media')
    .select(({ fn }) => fn.max('display_order').as('last'))
    .where('article_id', '=', articleId)
    .executeTakeFirstOrThrow();
  return (last as number | null) === null ? 0 : Number(last) + 1;
}

/**
 * Gives an article a picture or film, in `actor`'s name. Throws `NotFound` for an article that is not there (any more),
 * `Invalid` that names `file` for one whose content cannot be read, `Unavailable` when it cannot be stored; then no file
 * of it stays.
 */
export async function addMedia(
  context: StorageContext,
  { articleId, file, altText = '', caption = '', displayOrder, actor }: NewMedia,
): Promise<Media> {
  const { db, storage, clock } = context;
  try {
    const article = await db
      .selectFrom('articles')
      .select('id')
      .where('id', '=', articleId)
      .executeTakeFirst();
    if (article === undefined) throw articleNotFound();
    const uploadId = await beginUpload(db, { kind: 'media', clock });
    try {
      const facts = await storeMediaFiles(storage, uploadId, file);
      return await inTransaction(db, async (trx) => {
        const now = clock.now();
        const there = await trx
          .selectFrom('articles')
          .select('id')
          .where('id', '=', articleId)
          .executeTakeFirst();
        if (there === undefined) throw articleNotFound();
        await keepUpload(trx, uploadId, now);
        const row = await trx
          .insertInto('media')
          .values({
            id: newId(),
            article_id: articleId,
            upload_id: uploadId,
            media_type: facts.mediaType,
            file_path: facts.filePath,
            sources: JSON.stringify(facts.sources),
            alt_text: altText,
            caption,
            display_order: displayOrder ?? (await nextOrder(trx, articleId)),
            original_name: file.originalName,
            file_size: facts.fileSize,
            width: facts.width,
            height: facts.height,
            created_at: toIso(now),
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        await touchArticle(trx, articleId, now);
        await writeAudit(
          trx,
          {
            actor,
            action: 'media.add',
            subject: row.id,
            details: { article: articleId, type: facts.mediaType },
          },
          now,
        );
        return mediaOf(row);
      });
    } catch (error) {
      await abandonUpload(context, uploadId);
      throw error;
    }
  } finally {
    await storage.discard(file.path);
  }
}
