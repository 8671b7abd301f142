/** The response to an upload. `status` is 0 without a response; `body` is null unless it is JSON. */
export interface UploadResponse {
  status: number;
  body: { message?: unknown; data?: unknown } | null;
}

/** Posts a form with a file to the API, with `onProgress` (0 to 1), by XMLHttpRequest: `fetch` has none. Never throws. */
export function sendFile(
  address: string,
  form: FormData,
  { onProgress, signal }: { onProgress: (fraction: number) => void; signal: AbortSignal },
): Promise<UploadResponse> {
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

/** Returns the server's error message; null if there is none. */
export function reasonOf({ body }: UploadResponse): string | null {
  return typeof body?.message === 'string' ? body.message : null;
}
