import { FilmRefused, FILM_ENDINGS, measureFilm, type FilmType } from '../storage/measure-film.server';
import { ImageRefused } from '../storage/image-variants.server';
import { storeImage } from '../storage/store-image.server';
import type { StagedFile } from '../storage/file-rule';
import type { FileStorage } from '../storage/storage';
import { uploadPath } from '../storage/upload-path';
import type { Media } from './article';
import { damagedFile } from './media-rules';

/** What a picture's or film's files say about it. */
export type MediaFacts = Pick<Media, 'mediaType' | 'filePath' | 'fileSize' | 'width' | 'height' | 'sources'>;

function isFilm(type: string): type is FilmType {
  return Object.hasOwn(FILM_ENDINGS, type);
}

async function storeFilm(
  storage: FileStorage,
  uploadId: string,
  file: StagedFile & { type: FilmType },
): Promise<MediaFacts> {
  const measure = await measureFilm(file.path).catch((error: unknown) => {
    if (!(error instanceof FilmRefused)) throw error;
    throw damagedFile('This video cannot be read. It may be damaged, or hold no pictures.', error.cause);
  });
  const name = `film.${FILM_ENDINGS[file.type]}`;
  await storage.put(uploadId, name, { path: file.path });
  return {
    mediaType: 'video',
    filePath: uploadPath(uploadId, name),
    fileSize: file.size,
    width: measure?.width ?? null,
    height: measure?.height ?? null,
    sources: [],
  };
}

/** Makes of an arrived file what is served, under the upload's id. Throws `Invalid` that names `file`. */
export async function storeMediaFiles(
  storage: FileStorage,
  uploadId: string,
  file: StagedFile,
): Promise<MediaFacts> {
  const { type } = file;
  if (isFilm(type)) return storeFilm(storage, uploadId, { ...file, type });
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
