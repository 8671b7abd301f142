import type { Media } from '#shared/news/article';

/** What came of sending a file: what it is now, or why not (null: the server could not be reached). */
export type Sent = { media: Pick<Media, 'id' | 'filePath' | 'width' | 'height'> } | { reason: string | null };

/** As far as `api.md` has it; what is missing was no answer of ours. */
interface Answer {
  message?: unknown;
  data?: { media?: Media };
}

function readAnswer(text: string): Answer {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === 'object' && answer !== null ? answer : {};
  } catch {
    return {};
  }
}

/**
 * Sends one file to an article. `onProgress` hears how much has gone, from 0 to 1; `fetch` would not tell. Never throws.
 */
export function sendMedia(
  articleId: string,
  file: File,
  { onProgress, signal }: { onProgress: (part: number) => void; signal: AbortSignal },
): Promise<Sent> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    signal.addEventListener('abort', stop);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
    request.onloadend = () => {
      signal.removeEventListener('abort', stop);
      const { message, data } = readAnswer(request.responseText);
      if (request.status === 201 && data?.media !== undefined) resolve({ media: data.media });
      else resolve({ reason: typeof message === 'string' ? message : null });
    };
    request.open('POST', `/api/news/admin/articles/${encodeURIComponent(articleId)}/media`);
    const form = new FormData();
    form.append('file', file);
    request.send(form);
  });
}

/** Makes one of an article's pictures its featured image; false when that failed. */
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
