import { useRevalidator } from '@remix-run/react';
import { useCallback } from 'react';
import type { StoredImage } from '~/components/editor/image-uploads';
import { UPLOAD_FAILED } from './article-texts';
import { sendMedia } from './send-media';

type SendTextImage = (
  articleId: string,
  file: File,
  way: { report: (fraction: number) => void; signal: AbortSignal },
) => Promise<StoredImage>;

/**
 * Brings a picture that is put into an article's text to that article, among whose media it then is. Rejects as
 * `UploadImage` does.
 */
export function useTextImages(): SendTextImage {
  const { revalidate } = useRevalidator();
  return useCallback(
    async (articleId, file, { report, signal }) => {
      const sent = await sendMedia(articleId, file, { onProgress: report, signal });
      if ('reason' in sent) throw new Error(sent.reason ?? UPLOAD_FAILED);
      const { filePath, width, height } = sent.media;
      if (width === null || height === null) throw new Error(UPLOAD_FAILED);
      revalidate();
      return { src: filePath, width, height };
    },
    [revalidate],
  );
}
