import { SECOND } from '#shared/clock';
import type { Article, Media } from '#shared/news/article';
import type { StoredImage } from '~/components/editor/images/image-uploads';
import { reloadData } from '~/components/forms/reload-data';
import { reasonOf, sendFile } from '~/components/forms/send-file';
import { SAVE_FAILED, UPLOAD_FAILED } from './articles';

/** The metadata of a local file load in milliseconds; for an unreadable file some browsers fire no event at all. */
const METADATA_LIMIT_MS = 5 * SECOND;

/** Returns the size of a video file in pixels; null if the browser cannot read it. */
function measureVideo(file: File): Promise<{ width: number; height: number } | null> {
  const video = document.createElement('video');
  const url = URL.createObjectURL(file);
  return new Promise<{ width: number; height: number } | null>((resolve) => {
    const giveUp = setTimeout(() => resolve(null), METADATA_LIMIT_MS);
    const finish = () => {
      clearTimeout(giveUp);
      const { videoWidth: width, videoHeight: height } = video;
      resolve(width > 0 && height > 0 ? { width, height } : null);
    };
    video.onloadedmetadata = finish;
    video.onerror = finish;
    video.preload = 'metadata';
    video.src = url;
  }).finally(() => {
    video.removeAttribute('src');
    URL.revokeObjectURL(url);
  });
}

/** The result of an upload. `reason`: null if the server was unreachable. `gone`: the article does not exist (any more). */
type SentMedia =
  | { media: Pick<Media, 'id' | 'filePath' | 'width' | 'height'> }
  | { reason: string | null; gone: boolean };

/** Uploads a file to an article, for its gallery or its text. Never throws. */
export async function sendMedia(
  articleId: string,
  { file, placement }: { file: File; placement: Media['placement'] },
  options: { onProgress: (fraction: number) => void; signal: AbortSignal },
): Promise<SentMedia> {
  const form = new FormData();
  form.append('placement', placement);
  const size = file.type.startsWith('video/') ? await measureVideo(file) : null;
  if (options.signal.aborted) return { reason: null, gone: false };
  if (size !== null) {
    form.append('width', String(size.width));
    form.append('height', String(size.height));
  }
  form.append('file', file);
  const response = await sendFile(
    `/api/news/admin/articles/${encodeURIComponent(articleId)}/media`,
    form,
    options,
  );
  // The shape is defined in `api.md`; a response without it is not from our API.
  const { media } = (response.body?.data ?? {}) as { media?: Media };
  if (response.status === 201 && media !== undefined) return { media };
  return { reason: reasonOf(response), gone: response.status === 404 };
}

/** Sets an article's featured image. Returns false if that failed. */
export async function chooseFeaturedImage(articleId: string, mediaId: string): Promise<boolean> {
  try {
    const response = await fetch(`/api/news/admin/articles/${encodeURIComponent(articleId)}/featured-image`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ mediaId }),
    });
    return response.ok;
  } catch {
    return false;
  }
}

/** The article of an upload does not exist (any more). */
export class ArticleGone extends Error {}

/** Uploads an image of an article's text; public once saved. Rejects as `UploadImage` does, or with `ArticleGone`. */
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

/** A draft that was created to store images, and its version. */
export interface CreatedDraft {
  id: string;
  version: string;
}

/** The shape is defined in `api.md`; a response without it is not from our API. */
interface CreateResponse {
  message?: unknown;
  data?: { article?: Pick<Article, 'id'> };
}

/** Creates a draft from the form's values. Rejects with an error whose message is a sentence for the user. */
export async function createDraft(fields: {
  title: string;
  content: string;
  excerpt: string;
}): Promise<CreatedDraft> {
  const failure = () => new Error(SAVE_FAILED);
  const response = await fetch('/api/news/admin/articles', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...fields, published: false }),
  }).catch(() => {
    throw failure();
  });
  const { message, data } = (await response.json().catch(() => ({}))) as CreateResponse;
  const version = response.headers.get('ETag')?.replace(/^(?:W\/)?"(.*)"$/, '$1');
  if (response.ok && data?.article !== undefined && version !== undefined)
    return { id: data.article.id, version };
  throw typeof message === 'string' ? new Error(message) : failure();
}
