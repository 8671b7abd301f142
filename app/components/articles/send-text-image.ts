import type { StoredImage } from '~/components/editor/image-uploads';
import { UPLOAD_FAILED } from './article-texts';
import { reloadData } from './reload-data';
import { sendMedia } from './send-media';

/** The article that an image was to be sent to is not there (any more). */
export class ArticleGone extends Error {}

/**
 * Brings an image that is put into an article's text to that article; visitors know of it when that text is saved. Rejects
 * as `UploadImage` does, by `ArticleGone` when there is no such article.
 */
export async function sendTextImage(
  articleId: string,
  file: File,
  { report, signal }: { report: (fraction: number) => void; signal: AbortSignal },
): Promise<StoredImage> {
  const sent = await sendMedia(articleId, { file, placement: 'text' }, { onProgress: report, signal });
  if ('reason' in sent) {
    const reason = sent.reason ?? UPLOAD_FAILED;
    throw sent.gone ? new ArticleGone(reason) : new Error(reason);
  }
  const { filePath, width, height } = sent.media;
  if (width === null || height === null) throw new Error(UPLOAD_FAILED);
  reloadData();
  return { src: filePath, width, height };
}
