import { useCallback } from 'react';
import type { StoredImage } from '~/components/editor/image-uploads';
import { UPLOAD_FAILED } from './article-texts';
import { sendMedia } from './send-media';
import { useReload } from './use-reload';

type SendTextImage = (
  articleId: string,
  file: File,
  way: { report: (fraction: number) => void; signal: AbortSignal },
) => Promise<StoredImage>;

/** The article that an image was to be sent to is not there (any more). */
export class ArticleGone extends Error {}

/**
 * Brings an image that is put into an article's text to that article; visitors know of it when that text is saved. Rejects
 * as `UploadImage` does, by `ArticleGone` when there is no such article.
 */
export function useTextImages(): SendTextImage {
  const reload = useReload();
  return useCallback(
    async (articleId, file, { report, signal }) => {
      const sent = await sendMedia(articleId, { file, placement: 'text' }, { onProgress: report, signal });
      if ('reason' in sent) {
        const reason = sent.reason ?? UPLOAD_FAILED;
        throw sent.gone ? new ArticleGone(reason) : new Error(reason);
      }
      const { filePath, width, height } = sent.media;
      if (width === null || height === null) throw new Error(UPLOAD_FAILED);
      reload();
      return { src: filePath, width, height };
    },
    [reload],
  );
}
