import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import sharp from 'sharp';
import { HOUR, toIso } from '#shared/clock';
import { bumpContentVersion } from '#shared/content/content-version';
import type { Database } from '#shared/database/connection.server';
import { openSqliteDatabase } from '#shared/database/sqlite/sqlite-database.server';
import { inTransaction } from '#shared/database/transaction';
import { newId } from '#shared/ids';
import type { ImageSource } from '#shared/news/article';
import { prepareArticleHtml } from '#shared/news/article-html.server';
import type { StoredShareImage } from '#shared/storage/images/share-image.server';
import { variantName, variantWidths } from '#shared/storage/images/variant-names';

/** A file that lies where uploads lie, and what the database says of it. */
export interface StoredFile {
  uploadId: string;
  mediaType: 'image' | 'video';
  filePath: string;
  sources: ImageSource[];
  /** Default: none, as for a video or an image of an earlier release. */
  shareImage?: StoredShareImage;
  fileSize: number;
  width: number | null;
  height: number | null;
}

export interface MediaSeed {
  file: StoredFile;
  altText?: string;
  caption?: string;
  /** Default: its place in the list of media. */
  displayOrder?: number;
}

/** An article as a test wants it; what it does not say is ordinary. */
export interface ArticleSeed {
  id?: string;
  title?: string;
  /** Written to the database as it is, past every sanitiser. */
  content?: string;
  excerpt?: string | null;
  author?: string | null;
  featured?: boolean;
  published?: boolean;
  /** ISO-8601. Later ones come first in lists. */
  publishedAt?: string;
  updatedAt?: string;
  media?: MediaSeed[];
  /** Which of the media is the featured image. */
  featuredMedia?: number;
}

const ORDINARY = '<p>Two new boxes are on their way to the shelves.</p>';
const NOON = Date.parse('2026-11-02T12:00:00.000Z');

/** Opens a stack's own database for a moment. */
export async function withDatabase<Result>(
  dataDir: string,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const db = openSqliteDatabase(join(dataDir, 'packwatch.db'));
  try {
    // Outside a transaction nothing is tried again: on a busy machine the product's connections may hold the lock for long.
    await sql`pragma busy_timeout = 30000`.execute(db);
    return await work(db);
  } finally {
    await db.destroy();
  }
}

/** Makes these all the articles there are, with the news section on. Returns their ids. */
export async function setArticles(db: Database, seeds: readonly ArticleSeed[]): Promise<string[]> {
  return inTransaction(db, async (trx) => {
    await trx.updateTable('articles').set({ featured_image_id: null }).execute();
    await trx.deleteFrom('articles').execute();
    await trx.deleteFrom('uploads').where('kind', '=', 'media').execute();
    await trx.deleteFrom('settings').where('key', '=', 'news_section_enabled').execute();
    await bumpContentVersion(trx);
    const ids: string[] = [];
    for (const [at, seed] of seeds.entries()) {
      const id = seed.id ?? newId();
      ids.push(id);
      const content = seed.content ?? ORDINARY;
      const { summary, readTimeMinutes } = prepareArticleHtml(content);
      const published = seed.published ?? true;
      const time = seed.publishedAt ?? toIso(NOON - at * HOUR);
      await trx
        .insertInto('articles')
        .values({
          id,
          title: seed.title ?? `Story ${at + 1}`,
          content,
          excerpt: seed.excerpt ?? null,
          summary,
          read_time_minutes: readTimeMinutes,
          published: published ? 1 : 0,
          featured: seed.featured === true ? 1 : 0,
          author_id: null,
          author_username: seed.author ?? null,
          featured_image_id: null,
          published_at: published ? time : null,
          created_at: time,
          updated_at: seed.updatedAt ?? time,
        })
        .execute();
      const mediaIds: string[] = [];
      for (const [order, { file, altText = '', caption = '', displayOrder }] of (
        seed.media ?? []
      ).entries()) {
        const mediaId = newId();
        mediaIds.push(mediaId);
        await trx
          .insertInto('uploads')
          .values({
            id: file.uploadId,
            kind: 'media',
            status: 'attached',
            created_at: time,
            updated_at: time,
          })
          .execute();
        await trx
          .insertInto('media')
          .values({
            id: mediaId,
            article_id: id,
            upload_id: file.uploadId,
            media_type: file.mediaType,
            file_path: file.filePath,
            sources: JSON.stringify(file.sources),
            share_image: file.shareImage === undefined ? null : JSON.stringify(file.shareImage),
            alt_text: altText,
            caption,
            display_order: displayOrder ?? order,
            original_name: 'card.jpg',
            file_size: file.fileSize,
            width: file.width,
            height: file.height,
            created_at: time,
          })
          .execute();
      }
      if (seed.featuredMedia !== undefined) {
        const featured_image_id = mediaIds[seed.featuredMedia] ?? null;
        await trx.updateTable('articles').set({ featured_image_id }).where('id', '=', id).execute();
      }
    }
    return ids;
  });
}

/** Turns the news section on or off. */
export async function setNewsSection(db: Database, enabled: boolean): Promise<void> {
  await inTransaction(db, async (trx) => {
    await trx
      .insertInto('settings')
      .values({
        key: 'news_section_enabled',
        value: String(enabled),
        description: null,
        updated_at: toIso(Date.now()),
      })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: String(enabled) }))
      .execute();
    await bumpContentVersion(trx);
  });
}

interface PictureSize {
  width: number;
  height: number;
  colour: string;
}

/** WebP pictures of one colour, by all that makes them. */
const pictures = new Map<string, Promise<Buffer>>();

function webpPicture({ width, height, colour }: PictureSize): Promise<Buffer> {
  const key = `${width} ${height} ${colour}`;
  const known = pictures.get(key);
  if (known !== undefined) return known;
  const made = sharp({ create: { width, height, channels: 3, background: colour } })
    .webp({ effort: 0 })
    .toBuffer();
  pictures.set(key, made);
  return made;
}

/** Writes a picture of one colour in its forms, as an upload leaves it. */
export async function storePicture(
  dataDir: string,
  { width = 1200, height = 800, colour = '#4f46e5' }: Partial<PictureSize> = {},
): Promise<StoredFile> {
  const uploadId = newId();
  const folder = join(dataDir, 'uploads', uploadId);
  mkdirSync(folder, { recursive: true });
  const sources: ImageSource[] = [];
  let fileSize = 0;
  for (const shown of variantWidths(width)) {
    const size = { width: shown, height: Math.round((height * shown) / width) };
    const data = await webpPicture({ ...size, colour });
    writeFileSync(join(folder, variantName(shown)), data);
    sources.push({ path: `/uploads/${uploadId}/${variantName(shown)}`, ...size });
    fileSize = data.byteLength;
  }
  const filePath = `/uploads/${uploadId}/${width}.webp`;
  // A test reads its name and no pixels of it.
  writeFileSync(join(folder, 'share.jpeg'), '');
  const shareImage = { path: `/uploads/${uploadId}/share.jpeg`, width, height, fileSize: 0 };
  return { uploadId, mediaType: 'image', filePath, sources, shareImage, fileSize, width, height };
}

/** Writes a film, as an upload leaves it. */
export function storeFilm(dataDir: string, bytes: Uint8Array): StoredFile {
  const uploadId = newId();
  const folder = join(dataDir, 'uploads', uploadId);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'film.webm'), bytes);
  const filePath = `/uploads/${uploadId}/film.webm`;
  return {
    uploadId,
    mediaType: 'video',
    filePath,
    sources: [],
    fileSize: bytes.byteLength,
    width: 320,
    height: 180,
  };
}
