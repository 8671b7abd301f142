import { writeAudit, type Actor } from '../../audit/write-audit';
import { toIso } from '../../clock';
import type { Transaction } from '../../database/schema';
import { inTransaction } from '../../database/transaction';
import { DomainError } from '../../errors';
import { newId } from '../../ids';
import type { StagedFile } from '../../storage/file-rule';
import { ImageRefused } from '../../storage/images/image-variants.server';
import { storeShareImage } from '../../storage/images/share-image.server';
import { storeImage } from '../../storage/images/store-image.server';
import type { FileStorage } from '../../storage/storage';
import { uploadPath } from '../../storage/upload-path';
import { abandonUpload, beginUpload, attachUpload, type StorageContext } from '../../storage/upload-records';
import { articleNotFound, type Media } from '../article';
import { mediaOf } from '../article-rows';
import { markArticleChanged } from '../mark-article-changed';
import type { VideoSize } from './media-fields';
import { damagedFile } from './media-rules';

/** Codecs that browsers play (mediabunny's names). */
const PLAYABLE: ReadonlySet<string> = new Set(['avc', 'hevc', 'vp8', 'vp9', 'av1']);

const NO_VIDEO_TRACK = 'This file has no video track.';
const UNPLAYABLE = 'Browsers cannot play this video. Save it as an MP4 with H.264, and upload that.';
const UNREADABLE = 'This video cannot be read. It may be damaged.';

/** Throws `Invalid` that names `file` unless the file has a video track that browsers play. `path`: an MP4 or a WebM. */
async function requireVideoTrack(path: string): Promise<void> {
  // Loaded for a video only, which few processes ever receive.
  const { FilePathSource, Input, Logging, LogLevel, MP4, QTFF, WEBM } = await import('mediabunny');
  Logging.level = LogLevel.Silent;
  const input = new Input({ source: new FilePathSource(path), formats: [MP4, QTFF, WEBM] });
  let codecs: (string | null)[];
  try {
    const tracks = await input.getVideoTracks();
    codecs = await Promise.all(tracks.map((track) => track.getCodec()));
  } catch (error) {
    throw damagedFile(UNREADABLE, error);
  } finally {
    input.dispose();
  }
  if (codecs.length === 0) throw damagedFile(NO_VIDEO_TRACK, null);
  if (!codecs.some((codec) => codec !== null && PLAYABLE.has(codec))) throw damagedFile(UNPLAYABLE, null);
}

/** The fields of an image or a video that are known once its files are stored. */
type MediaFacts = Pick<
  Media,
  'mediaType' | 'filePath' | 'fileSize' | 'width' | 'height' | 'sources' | 'shareImage'
>;

/** The accepted types of videos, with their file extensions. */
const VIDEO_EXTENSIONS: Readonly<Record<string, string>> = { 'video/mp4': 'mp4', 'video/webm': 'webm' };

/**
 * Stores the files of an upload: a video as it is, an image as its variants with its share image. `videoSize`: the size of a video as its
 * uploader reports it. Throws `Invalid` that names `file` for a damaged image.
 */
async function storeMediaFiles(
  storage: FileStorage,
  uploadId: string,
  { file, videoSize }: { file: StagedFile; videoSize: VideoSize | null },
): Promise<MediaFacts> {
  const extension = VIDEO_EXTENSIONS[file.type];
  if (extension !== undefined) {
    await requireVideoTrack(file.path);
    const name = `video.${extension}`;
    await storage.put(uploadId, name, { path: file.path });
    return {
      mediaType: 'video',
      filePath: uploadPath(uploadId, name),
      fileSize: file.size,
      width: videoSize?.width ?? null,
      height: videoSize?.height ?? null,
      sources: [],
      shareImage: null,
    };
  }
  const { sources, largest, bytes } = await storeImage(storage, uploadId, file, { animated: true }).catch(
    (error: unknown) => {
      throw error instanceof ImageRefused ? damagedFile(error.message, error.cause) : error;
    },
  );
  return {
    mediaType: 'image',
    filePath: largest.path,
    fileSize: bytes.byteLength,
    width: largest.width,
    height: largest.height,
    sources,
    shareImage: await storeShareImage(storage, uploadId, bytes),
  };
}

interface NewMedia {
  articleId: string;
  /** Always removed from the staging folder. */
  file: StagedFile;
  altText?: string;
  caption?: string;
  /** Default: after the article's last image or video. */
  displayOrder?: number;
  /** `text`: an inline image, which visitors see only when the saved text shows it. */
  placement?: Media['placement'];
  /** Pixels of a video, as its uploader reports them; ignored unless both are given, and for images. */
  width?: number;
  height?: number;
  actor: Actor;
}

async function nextOrder(trx: Transaction, articleId: string): Promise<number> {
  const { last } = await trx
    .selectFrom('media')
    .select(({ fn }) => fn.max('display_order').as('last'))
    .where('article_id', '=', articleId)
    .executeTakeFirstOrThrow();
  return (last as number | null) === null ? 0 : Number(last) + 1;
}

/** Throws `Invalid` that names `placement` for a video in the text. */
function requirePlacement({ type }: StagedFile, placement: Media['placement']): void {
  if (placement === 'gallery' || type.startsWith('image/')) return;
  const sentence = 'Only images can be placed in the text.';
  throw new DomainError('Invalid', {
    code: 'unfit_placement',
    message: sentence,
    fieldErrors: { placement: [sentence] },
  });
}

/**
 * Adds an image or a video to an article. Throws `NotFound` for an article that does not exist, `Invalid` that names
 * `file` for a damaged image or a video that browsers cannot play, and `placement` for a video in the text, and `Unavailable` when the file cannot be stored;
 * then no file remains.
 */
export async function addMedia(
  context: StorageContext,
  {
    articleId,
    file,
    altText = '',
    caption = '',
    displayOrder,
    placement = 'gallery',
    width,
    height,
    actor,
  }: NewMedia,
): Promise<Media> {
  const { db, storage, clock } = context;
  const videoSize = width === undefined || height === undefined ? null : { width, height };
  try {
    requirePlacement(file, placement);
    const article = await db
      .selectFrom('articles')
      .select('id')
      .where('id', '=', articleId)
      .executeTakeFirst();
    if (article === undefined) throw articleNotFound();
    const uploadId = await beginUpload(db, { kind: 'media', clock });
    try {
      const facts = await storeMediaFiles(storage, uploadId, { file, videoSize });
      return await inTransaction(db, async (trx) => {
        const now = clock.now();
        const stillThere = await trx
          .selectFrom('articles')
          .select('id')
          .where('id', '=', articleId)
          .executeTakeFirst();
        if (stillThere === undefined) throw articleNotFound();
        await attachUpload(trx, uploadId, now);
        const row = await trx
          .insertInto('media')
          .values({
            id: newId(),
            article_id: articleId,
            upload_id: uploadId,
            media_type: facts.mediaType,
            placement,
            file_path: facts.filePath,
            sources: JSON.stringify(facts.sources),
            share_image: facts.shareImage && JSON.stringify(facts.shareImage),
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
        // An inline image becomes public only when the text that shows it is saved.
        if (placement === 'gallery') await markArticleChanged(trx, articleId, now);
        await writeAudit(
          trx,
          {
            actor,
            action: 'media.add',
            subject: row.id,
            details: { article: articleId, type: facts.mediaType, placement },
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
