/** What a file was answered with. `status` 0: nothing came back; `body` null: nothing that is JSON. */
export interface FileAnswer {
  status: number;
  body: { message?: unknown; data?: unknown } | null;
}

/**
 * Posts a form with a file to a call of the API. `onProgress` hears how much has gone, from 0 to 1. XMLHttpRequest,
 * because `fetch` tells nothing of the way. Never throws.
 */
export function sendFile(
  address: string,
  form: FormData,
  { onProgress, signal }: { onProgress: (part: number) => void; signal: AbortSignal },
): Promise<FileAnswer> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    signal.addEventListener('abort', stop);
    request.upload.onprogress = ({ loaded, total, lengthComputable }) => {
      if (lengthComputable && total > 0) onProgress(loaded / total);
    };
    request.onloadend = () => {
      signal.removeEventListener('abort', stop);
      const body: unknown = request.response;
      resolve({ status: request.status, body: typeof body === 'object' ? body : null });
    };
    request.open('POST', address);
    request.responseType = 'json';
    request.send(form);
  });
}

/** The server's reason for a refusal; null when there was no answer, or none of ours. */
export function reasonOf({ body }: FileAnswer): string | null {
  return typeof body?.message === 'string' ? body.message : null;
}
