/** Texts of the specification, section 8. */
export const INFORMATION_FAILED = 'Failed to load release information';
export const DOWNLOAD_FAILED = 'Download failed. Please try again.';
export const DOWNLOAD_COMPLETE = 'Download complete! Open the file to install.';

export const BROWSER_DOWNLOADS =
  'Your browser is downloading the file. Its list of downloads shows the progress.';
export const CONNECTION_LOST = 'The connection is lost. The download continues as soon as it is back.';
const SESSION_ENDED = 'Your session has ended. Please sign in again, then download the file.';

/** HTTP/2 has no status texts, so these are used (RFC 9110, section 15; RFC 6585). */
const STATUS_TEXTS: Readonly<Record<number, string>> = {
  403: 'Forbidden',
  404: 'Not Found',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/** The server's sentence of a failed API call; null if the answer is not from our API. */
async function sentenceOf(response: Response): Promise<string | null> {
  try {
    const body = (await response.json()) as { message?: unknown } | null;
    return typeof body?.message === 'string' ? body.message : null;
  } catch {
    return null;
  }
}

/** Says why the server refused a download: 'Download failed' with the status text, and the server's sentence. */
export async function refusalText(response: Response): Promise<string> {
  const sentence = await sentenceOf(response);
  if (response.status === 401) return SESSION_ENDED;
  if (response.status === 404 && sentence !== null) return sentence;
  const status = response.statusText || STATUS_TEXTS[response.status];
  if (status === undefined) return sentence ?? DOWNLOAD_FAILED;
  return `Download failed: ${status}. ${sentence ?? 'Please try again.'}`;
}
