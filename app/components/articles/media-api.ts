import { SECOND } from '#shared/clock';
import type { Article, Media } from '#shared/news/article';
import type { StoredImage } from '~/components/editor/images/image-uploads';
import { reasonOf, sendFile } from '~/components/forms/send-file';
import { SAVE_FAILED, UPLOAD_FAILED } from './articles';

let asked = false;

/**
 * Loads the page's data anew; while data are on their way, once more afterwards, however often it is asked. To break the
 * load off would cost a request, and Remix notes each as an error. Asks the router itself (Remix keeps it in
 * `__remixRouter`, @remix-run/react 2.17, browser.js), since what React was told of it may be older.
 */
export function reloadData(): void {
  if (asked) return;
  asked = true;
  whenIdle(() => {
    asked = false;
    window.__remixRouter.revalidate();
  });
}

function whenIdle(run: () => void): void {
  const router = window.__remixRouter;
  const idle = () => router.state.navigation.state === 'idle' && router.state.revalidation === 'idle';
  if (idle()) return run();
  const unsubscribe = router.subscribe(() => {
    if (!idle()) return;
    unsubscribe();
    // Other subscribers hear of this state first.
    queueMicrotask(() => whenIdle(run));
  });
}

/** Loading the metadata of a local file takes milliseconds; a browser that cannot read the file may never report it. */
const METADATA_LIMIT_MS = 5 * SECOND;

/** The size of a video file in pixels, as this browser reads it; null when it cannot. */
export function measureVideo(file: File): Promise<{ width: number; height: number } | null> {
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
