import sharp from 'sharp';
import { systemClock, toIso } from '#shared/clock';
import { newId } from '#shared/ids';
import type { Article } from '#shared/news/article';
import { findArticle } from '#shared/news/find-article';
import { createArticle, updateArticle } from '#shared/news/save-article.server';
import { setArticles, withDatabase } from './news-data';
import type { SharedStack } from './test';

/** Leaves no article. */
export function clearArticles(stack: SharedStack): Promise<unknown> {
  return withDatabase(stack.dataDir, (db) => setArticles(db, []));
}

/** Writes an article as the article pages do, without an author. */
export function writeArticle(
  stack: SharedStack,
  fields: { title: string; content?: string; excerpt?: string; published?: boolean; featured?: boolean },
): Promise<Article> {
  return withDatabase(stack.dataDir, (db) =>
    createArticle(db, {
      fields: { content: `<p>About ${fields.title}.</p>`, ...fields },
      author: { id: null, username: null },
      clock: systemClock,
    }),
  );
}

/** Changes an article while a page shows it, as another admin would. */
export function changeStoredArticle(
  stack: SharedStack,
  id: string,
  changes: { title?: string },
): Promise<Article> {
  const actor = { userId: null };
  return withDatabase(stack.dataDir, (db) => updateArticle(db, { id, changes, actor, clock: systemClock }));
}

/** An article as it is stored. */
export function readArticle(stack: SharedStack, id: string): Promise<Article | null> {
  return withDatabase(stack.dataDir, (db) => findArticle(db, id));
}

/** Gives some other article an image of this upload, so that texts may show it; there is no file. */
export async function keepImage(stack: SharedStack, uploadId: string): Promise<void> {
  const { id } = await writeArticle(stack, { title: 'Holds an image' });
  const at = toIso(Date.now());
  await withDatabase(stack.dataDir, async (db) => {
    const upload = { id: uploadId, kind: 'media' as const, status: 'attached' as const };
    await db
      .insertInto('uploads')
      .values({ ...upload, created_at: at, updated_at: at })
      .onConflict((known) => known.doNothing())
      .execute();
    await db
      .insertInto('media')
      .values({
        id: newId(),
        article_id: id,
        upload_id: uploadId,
        media_type: 'image',
        file_path: `/uploads/${uploadId}/1600.webp`,
        sources: '[]',
        alt_text: '',
        caption: '',
        display_order: 0,
        original_name: 'kept.webp',
        file_size: 1,
        width: 1600,
        height: 900,
        created_at: at,
      })
      .onConflict((known) => known.doNothing())
      .execute();
  });
}

/** Deletes an article while a page shows it. */
export function deleteStoredArticle(stack: SharedStack, id: string): Promise<unknown> {
  return withDatabase(stack.dataDir, (db) => db.deleteFrom('articles').where('id', '=', id).execute());
}

/** A picture of one colour, as a browser's file chooser takes it. */
export async function picture(name: string, [r, g, b] = [90, 70, 200]) {
  const background = { r, g, b };
  const buffer = await sharp({ create: { width: 640, height: 480, channels: 3, background } })
    .png()
    .toBuffer();
  return { name, mimeType: 'image/png', buffer };
}

/** A GIF with more frames than an image may keep. */
export async function longAnimation(name: string) {
  const frames = await Promise.all(
    Array.from({ length: 101 }, (_, index) =>
      sharp({ create: { width: 8, height: 8, channels: 3, background: index % 2 === 0 ? '#f00' : '#00f' } })
        .png()
        .toBuffer(),
    ),
  );
  const buffer = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer();
  return { name, mimeType: 'image/gif', buffer };
}

/** A file that calls itself a picture and is none. */
export const notAPicture = (name: string) => ({
  name,
  mimeType: 'image/png',
  buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
});
