import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { FileStorage } from '#shared/storage/storage';
import { answerFileRequest, type FileDecision } from './conditional-request.server';

/** The media types of the extensions that `uploadPath` admits. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  webp: 'image/webp',
  jpeg: 'image/jpeg',
  mp4: 'video/mp4',
  webm: 'video/webm',
};

/** The headers that decide what is sent of a file. */
const CONDITIONS = ['range', 'if-range', 'if-match', 'if-none-match'] as const;

function conditionsOf({ headers }: IncomingMessage): Headers {
  const found = new Headers();
  for (const name of CONDITIONS) {
    const value = headers[name];
    if (typeof value === 'string') found.set(name, value);
  }
  return found;
}

/**
 * Streams a stored file, `/{upload id}/{name}`, to the client, as fast as the client reads. Returns null, or the status of
 * an error that the caller sends: 404, 412, 416 (with Content-Range). Throws `Unavailable`, and when the storage or the
 * client breaks off.
 */
export async function streamUpload(
  file: string,
  {
    request,
    response,
    storage,
  }: {
    request: IncomingMessage;
    response: ServerResponse;
    storage: Pick<FileStorage, 'open' | 'size'>;
  },
): Promise<404 | 412 | 416 | null> {
  const [, uploadId = '', name = ''] = file.split('/');
  // A stored file never changes, so its name identifies its content.
  const etag = `"${uploadId}/${name}"`;
  const { method = 'GET' } = request;
  const headers = conditionsOf(request);

  let decision: FileDecision = { status: 200 };
  let size: number | null = null;
  if (method === 'HEAD' || [...headers].length > 0) {
    size = await storage.size(uploadId, name);
    if (size === null) return 404;
    decision = answerFileRequest({ method, headers }, { etag, size });
    if (decision.status === 416) response.setHeader('Content-Range', `bytes */${size}`);
    if (decision.status === 412 || decision.status === 416) return decision.status;
  }

  const range = decision.status === 206 ? decision.range : undefined;
  const isBodyWanted = method !== 'HEAD' && decision.status !== 304;
  const opened = isBodyWanted ? await storage.open(uploadId, name, range) : null;
  if (isBodyWanted && opened === null) return 404;
  const length = range === undefined ? (opened?.size ?? size ?? 0) : range.end - range.start + 1;

  response.statusCode = decision.status;
  response.setHeader('ETag', etag);
  response.setHeader('Accept-Ranges', 'bytes');
  if (decision.status !== 304) {
    response.setHeader(
      'Content-Type',
      MEDIA_TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
    );
    response.setHeader('Content-Length', length);
    if (range !== undefined) response.setHeader('Content-Range', `bytes ${range.start}-${range.end}/${size}`);
  }
  if (opened === null) response.end();
  else await pipeline(opened.stream, response);
  return null;
}
