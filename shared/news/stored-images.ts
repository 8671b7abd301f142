import type { Transaction } from 'kysely';
import type { Schema } from '../database/schema';
import { uploadsInText, withoutImages } from './text-images';
import { markArticleChanged } from './mark-article-changed';

/** As many uploads as one query asks about: SQLite bounds both the terms of a condition and its parameters. */
const ASKED_AT_ONCE = 100;

function inParts(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / ASKED_AT_ONCE) }, (_, part) =>
    ids.slice(part * ASKED_AT_ONCE, (part + 1) * ASKED_AT_ONCE),
  );
}

/**
 * Takes the images of these uploads out of the text of every article that shows one, in the transaction that deletes
 * them: they would be holes in the pages. Those articles count as changed.
 */
export async function removeFromTexts(
  trx: Transaction<Schema>,
  uploadIds: readonly string[],
  now: number,
): Promise<void> {
  for (const part of inParts(uploadIds)) {
    const found = await trx
      .selectFrom('articles')
      .select(['id', 'content'])
      .where((row) => row.or(part.map((id) => row('content', 'like', `%/uploads/${id}/%`))))
      .execute();
    for (const { id, content: before } of found) {
      const content = withoutImages(before, (uploadId) => part.includes(uploadId));
      if (content === before) continue;
      await trx.updateTable('articles').set({ content }).where('id', '=', id).execute();
      await markArticleChanged(trx, id, now);
    }
  }
}

/** Sanitised HTML without the images whose files no article has (any more). */
export async function removeMissingImages(trx: Transaction<Schema>, html: string): Promise<string> {
  const alive = new Set<string>();
  for (const part of inParts([...uploadsInText(html)])) {
    const rows = await trx.selectFrom('media').select('upload_id').where('upload_id', 'in', part).execute();
    for (const { upload_id } of rows) alive.add(upload_id);
  }
  return withoutImages(html, (uploadId) => !alive.has(uploadId));
}

/** Keeps, beside each of an article's media, whether the text that is saved now shows it. */
export async function recordShownMedia(
  trx: Transaction<Schema>,
  { articleId, html }: { articleId: string; html: string },
): Promise<void> {
  const shown = uploadsInText(html);
  const media = await trx
    .selectFrom('media')
    .select(['id', 'upload_id', 'in_text'])
    .where('article_id', '=', articleId)
    .execute();
  for (const { id, upload_id, in_text } of media) {
    const now = shown.has(upload_id) ? 1 : 0;
    if (now !== in_text) await trx.updateTable('media').set({ in_text: now }).where('id', '=', id).execute();
  }
}
