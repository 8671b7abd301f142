import type { Media } from '#shared/news/article';
import { reasonOf, sendFile } from '~/components/forms/send-file';
import { measureVideo } from './measure-video';

/**
 * What came of sending a file: what it is now, or why not (null: the server could not be reached). `gone`: the article is
 * not there (any more).
 */
export type Sent =
  { media: Pick<Media, 'id' | 'filePath' | 'width' | 'height'> } | { reason: string | null; gone: boolean };

/** Sends one file to an article, to be shown with it or to stand in its text. Never throws. */
export async function sendMedia(
  articleId: string,
  { file, placement }: { file: File; placement: Media['placement'] },
  way: { onProgress: (part: number) => void; signal: AbortSignal },
): Promise<Sent> {
  const form = new FormData();
  form.append('placement', placement);
  const size = file.type.startsWith('video/') ? await measureVideo(file) : null;
  if (way.signal.aborted) return { reason: null, gone: false };
  if (size !== null) {
    form.append('width', String(size.width));
    form.append('height', String(size.height));
  }
  form.append('file', file);
  const answer = await sendFile(`/api/news/admin/articles/${encodeURIComponent(articleId)}/media`, form, way);
  // As `api.md` has it; what is missing was no answer of ours.
  const { media } = (answer.body?.data ?? {}) as { media?: Media };
  if (answer.status === 201 && media !== undefined) return { media };
  return { reason: reasonOf(answer), gone: answer.status === 404 };
}

/** Makes one of an article's images its featured image; false when that failed. */
export async function chooseFeaturedImage(articleId: string, mediaId: string): Promise<boolean> {
  try {
    const answer = await fetch(`/api/news/admin/articles/${encodeURIComponent(articleId)}/featured-image`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ mediaId }),
    });
    return answer.ok;
  } catch {
    return false;
  }
}
