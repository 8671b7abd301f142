import type { StagedFile } from '../storage/file-rule';
import { ImageRefused } from '../storage/image-variants.server';
import type { FileStorage } from '../storage/storage';
import { storeImage } from '../storage/store-image.server';
import { uploadPath } from '../storage/upload-path';
import type { Media } from './article';
import type { VideoSize } from './media-fields';
import { damagedFile } from './media-rules';

/** What the stored files of an image or a video say about it. */
export type MediaFacts = Pick<Media, 'mediaType' | 'filePath' | 'fileSize' | 'width' | 'height' | 'sources'>;

/** The accepted types of videos, with the file extension that each is served under. */
const VIDEO_EXTENSIONS: Readonly<Record<string, string>> = { 'video/mp4': 'mp4', 'video/webm': 'webm' };

/**
 * Stores what is served of a received file, under the upload's id. `videoSize`: the size of a video as its uploader
 * reports it; an image's size is read from the image. Throws `Invalid` that names `file`.
 */
export async function storeMediaFiles(
  storage: FileStorage,
  uploadId: string,
  { file, videoSize }: { file: StagedFile; videoSize: VideoSize | null },
): Promise<MediaFacts> {
  const extension = VIDEO_EXTENSIONS[file.type];
  if (extension !== undefined) {
    const name = `video.${extension}`;
    await storage.put(uploadId, name, { path: file.path });
    return {
      mediaType: 'video',
      filePath: uploadPath(uploadId, name),
      fileSize: file.size,
      width: videoSize?.width ?? null,
      height: videoSize?.height ?? null,
      sources: [],
    };
  }
  const { sources, largest, bytes } = await storeImage(storage, uploadId, file).catch((error: unknown) => {
    throw error instanceof ImageRefused ? damagedFile(error.message, error.cause) : error;
  });
  return {
    mediaType: 'image',
    filePath: largest.path,
    fileSize: bytes,
    width: largest.width,
    height: largest.height,
    sources,
  };
}
