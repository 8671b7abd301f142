const UPLOAD_CALL = '/api/settings/tracking-sets/upload';

export type UploadResult = { ok: true; imageUrl: string } | { ok: false; message: string | null };

function answerOf(request: XMLHttpRequest): UploadResult {
  const body = request.response as { data?: { imageUrl?: unknown }; message?: unknown } | null;
  const imageUrl = body?.data?.imageUrl;
  if (request.status === 201 && typeof imageUrl === 'string') return { ok: true, imageUrl };
  return { ok: false, message: typeof body?.message === 'string' ? body.message : null };
}

/**
 * Sends a picture by the API and tells how much of it has gone, from 0 to 1. XMLHttpRequest, because fetch tells nothing
 * of the way. `message` is the server's reason; null when there was no answer, or none that can be read.
 */
export function uploadTrackingImage(
  file: File,
  { onProgress, signal }: { onProgress: (share: number) => void; signal: AbortSignal },
): Promise<UploadResult> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const lost = () => resolve({ ok: false, message: null });
    request.open('POST', UPLOAD_CALL);
    request.responseType = 'json';
    request.upload.addEventListener('progress', ({ loaded, total, lengthComputable }) => {
      if (lengthComputable && total > 0) onProgress(loaded / total);
    });
    request.addEventListener('load', () => resolve(answerOf(request)));
    request.addEventListener('error', lost);
    request.addEventListener('abort', lost);
    signal.addEventListener('abort', () => request.abort());
    const body = new FormData();
    body.set('image', file);
    request.send(body);
  });
}
