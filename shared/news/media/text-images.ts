import type { Transaction } from '../../database/schema';
import { markArticleChanged } from '../mark-article-changed';

// An image as the sanitiser writes it: attributes in double quotes, without brackets or quotes in them.
const IMAGE = /<img (?:[^<>]*? )?src="\/uploads\/([\w-]+)\/[^"<>]*"[^<>]*>/g;

/** The ids of the uploads whose images appear in sanitised HTML. */
export function uploadsInText(html: string): Set<string> {
  return new Set([...html.matchAll(IMAGE)].map(([, uploadId = '']) => uploadId));
}

// A paragraph that contains only images.
const IMAGE_PARAGRAPH = /<p(?: [^<>]*)?>(?:\s|<img [^<>]*>)+<\/p>\n?/g;

/** Removes the images of some uploads from sanitised HTML, with the paragraphs that contained nothing else. */
export function withoutImages(html: string, isGone: (uploadId: string) => boolean): string {
  const drop = (part: string) =>
    part.replace(IMAGE, (image, uploadId: string) => (isGone(uploadId) ? '' : image));
  const left = drop(
    html.replace(IMAGE_PARAGRAPH, (paragraph) => {
      const rest = drop(paragraph);
      return rest === paragraph || rest.includes('<img ') ? rest : '';
    }),
  );
  return left === html ? html : left.trim();
}

/** SQLite limits the terms of a condition and the parameters of a query. */
const IDS_PER_QUERY = 100;

function inBatches(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / IDS_PER_QUERY) }, (_, index) =>
    ids.slice(index * IDS_PER_QUERY, (index + 1) * IDS_PER_QUERY),
  );
}

/** Removes the images of these uploads from all articles, which count as changed, in the transaction that deletes them. */
export async function removeFromTexts(
  trx: Transaction,
  uploadIds: readonly string[],
  now: number,
): Promise<void> {
  for (const batch of inBatches(uploadIds)) {
    const found = await trx
      .selectFrom('articles')
      .select(['id', 'content'])
      .where((row) => row.or(batch.map((id) => row('content', 'like', `%/uploads/${id}/%`))))
      .execute();
    for (const { id, content: before } of found) {
      const content = withoutImages(before, (uploadId) => batch.includes(uploadId));
      if (content === before) continue;
      await trx.updateTable('articles').set({ content }).where('id', '=', id).execute();
      await markArticleChanged(trx, id, now);
    }
  }
}

/** Removes the images from sanitised HTML that belong to no article. */
export async function removeMissingImages(trx: Transaction, html: string): Promise<string> {
  const existing = new Set<string>();
  for (const batch of inBatches([...uploadsInText(html)])) {
    const rows = await trx.selectFrom('media').select('upload_id').where('upload_id', 'in', batch).execute();
    for (const { upload_id } of rows) existing.add(upload_id);
  }
  return withoutImages(html, (uploadId) => !existing.has(uploadId));
}

/** Stores for each image of an article whether the saved text shows it. */
export async function recordShownMedia(
  trx: Transaction,
  { articleId, html }: { articleId: string; html: string },
): Promise<void> {
  const shown = uploadsInText(html);
  const media = await trx
    .selectFrom('media')
    .select(['id', 'upload_id', 'in_text'])
    .where('article_id', '=', articleId)
    .execute();
  for (const { id, upload_id, in_text } of media) {
    const inText = shown.has(upload_id) ? 1 : 0;
    if (inText !== in_text)
      await trx.updateTable('media').set({ in_text: inText }).where('id', '=', id).execute();
  }
}
