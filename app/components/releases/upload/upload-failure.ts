import { RELEASE_FAILED } from '../release-texts';

/** Why a request of an upload failed, and what comes next. */
export interface UploadFailure {
  reason: string;
  /**
   * retry: the upload continues automatically; resume: it continues when the admin presses Resume; gone: it no longer exists on
   * the server; refused: the server does not accept this file.
   */
  next: 'retry' | 'resume' | 'gone' | 'refused';
}

export const CONNECTION_LOST = 'The connection was lost.';
const UPLOAD_ELSEWHERE = 'Another server of this site has the first part of this upload.';

/** The API's `code` and `message` in the text of a response; empty when it is not from our API. */
function readFailure(text: string): { code?: unknown; message?: unknown } {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}

/** Sorts the failure of a tus request. `status` 0: there was no response. The response to a HEAD has no text. */
export function describeUploadFailure({
  status,
  text,
  method,
}: {
  status: number;
  text: string;
  method?: string;
}): UploadFailure {
  const { code, message } = readFailure(text);
  const sentence = typeof message === 'string' && message !== '' ? message : null;
  if (status === 0) return { reason: CONNECTION_LOST, next: 'retry' };
  switch (status) {
    case 401:
      return { reason: 'You are signed out. Sign in again in another tab, then resume.', next: 'resume' };
    case 403:
      return { reason: sentence ?? RELEASE_FAILED.upload, next: 'resume' };
    case 404:
    case 410:
      return {
        reason: 'This upload was cancelled or has expired. Upload the file again.',
        next: 'gone',
      };
    case 409:
      if (code === 'upload_in_progress')
        return { reason: sentence ?? RELEASE_FAILED.upload, next: 'refused' };
      // A load balancer may pass the next attempt to the server that has the first part.
      if (code === 'upload_elsewhere' || method === 'HEAD')
        return { reason: UPLOAD_ELSEWHERE, next: 'retry' };
      // Wrong offset: the client requests the current one.
      return { reason: CONNECTION_LOST, next: 'retry' };
    case 408:
    case 423:
    case 429:
      return { reason: sentence ?? 'The server is busy.', next: 'retry' };
  }
  if (status === 507 || code === 'storage_full')
    return { reason: sentence ?? 'The server has too little space.', next: 'resume' };
  if (status >= 500) return { reason: sentence ?? 'The server has a problem.', next: 'retry' };
  return { reason: sentence ?? RELEASE_FAILED.upload, next: 'refused' };
}
