import type { Article, Media } from '#shared/news/article';
import type { StoredImage } from '~/components/editor/image-uploads';
import { reasonOf, sendFile } from '~/components/forms/send-file';
import { SAVE_FAILED, UPLOAD_FAILED } from './articles';
import { measureVideo } from './measure-video';
import { reloadData } from './reload-data';

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

/** The article that an image was to be sent to is not there (any more). */
export class ArticleGone extends Error {}

/**
 * Uploads an image that is inserted into an article's text; it becomes public when that text is saved. Rejects as
 * `UploadImage` does, with `ArticleGone` when there is no such article.
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

/** An article that exists so that its images have a place, and the version it had then. */
export interface MadeDraft {
  id: string;
  version: string;
}

/** As far as `api.md` has it; what is missing was no answer of ours. */
interface Answer {
  message?: unknown;
  data?: { article?: Pick<Article, 'id'> };
}

/** Makes a draft of what is typed so far. Rejects with an error whose message is a sentence for people. */
export async function makeDraft(fields: {
  title: string;
  content: string;
  excerpt: string;
}): Promise<MadeDraft> {
  const lost = () => new Error(SAVE_FAILED);
  const answer = await fetch('/api/news/admin/articles', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...fields, published: false }),
  }).catch(() => {
    throw lost();
  });
  const { message, data } = (await answer.json().catch(() => ({}))) as Answer;
  const version = answer.headers.get('ETag')?.replace(/^(?:W\/)?"(.*)"$/, '$1');
  if (answer.ok && data?.article !== undefined && version !== undefined)
    return { id: data.article.id, version };
  throw typeof message === 'string' ? new Error(message) : lost();
}
