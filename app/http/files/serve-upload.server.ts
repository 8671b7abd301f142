import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Config } from '#shared/config.server';
import { DAY } from '#shared/clock';
import type { Logger } from '#shared/logger.server';
import { uploadsFolder } from '#shared/storage/disk-storage.server';
import type { FileStorage } from '#shared/storage/storage';
import { widerVariantOf } from '#shared/storage/images/variant-names';
import { uploadIdOf, UPLOADS_PATH } from '#shared/storage/upload-path';
import { NO_DOCUMENT_POLICY } from '../server/security-headers.server';
import { pipeline } from 'node:stream/promises';
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
async function streamUpload(
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

const MAX_AGE_MS = 365 * DAY;

function sendNotFound(response: ServerResponse): void {
  response.statusCode = 404;
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store');
  response.end('There is no such file.\n');
}

/** Responds with an error. `send` may already have set headers of the file. */
function sendError(response: ServerResponse, status: number): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  for (const name of ['Content-Length', 'Content-Type', 'ETag', 'Last-Modified', 'Accept-Ranges'])
    response.removeHeader(name);
  // The Content-Range of a 416 names the valid range and stays.
  if (status !== 416) response.removeHeader('Content-Range');
  if (status === 404) {
    sendNotFound(response);
    return;
  }
  response.statusCode = status === 412 || status === 416 ? status : 503;
  response.setHeader('Cache-Control', 'no-store');
  response.end();
}

async function serveFromDisk(
  path: string,
  { request, response, root }: { request: IncomingMessage; response: ServerResponse; root: string },
): Promise<void> {
  const { sendFile } = await import('./send-file.server');
  sendFile(request, path, { root, immutable: true, maxAge: MAX_AGE_MS, index: false, dotfiles: 'ignore' })
    .on('headers', () => response.setHeader('Content-Security-Policy', NO_DOCUMENT_POLICY))
    .on('error', ({ status }: { status: number }) => {
      const wider = status === 404 ? widerVariantOf(path) : null;
      if (wider === null) sendError(response, status);
      else void serveFromDisk(wider, { request, response, root });
    })
    .on('directory', () => sendNotFound(response))
    .pipe(response);
}

/** Serves an uploaded file from disk or S3, immutable, with ranges and conditional requests. False for any other path. */
export async function serveUpload(
  request: IncomingMessage,
  response: ServerResponse,
  {
    config: { dataDir, s3 },
    storage,
    log,
  }: { config: Pick<Config, 'dataDir' | 's3'>; storage: Pick<FileStorage, 'open' | 'size'>; log: Logger },
): Promise<boolean> {
  const [path = ''] = (request.url ?? '/').split('?', 1);
  if (!path.startsWith(UPLOADS_PATH)) return false;
  if (uploadIdOf(path) === null) {
    sendNotFound(response);
    return true;
  }
  const file = path.slice(UPLOADS_PATH.length - 1);
  if (s3 === null) {
    await serveFromDisk(file, { request, response, root: uploadsFolder(dataDir) });
    return true;
  }
  response.setHeader('Content-Security-Policy', NO_DOCUMENT_POLICY);
  response.setHeader('Cache-Control', `public, max-age=${MAX_AGE_MS / 1_000}, immutable`);
  try {
    let refused = await streamUpload(file, { request, response, storage });
    const wider = refused === 404 ? widerVariantOf(file) : null;
    if (wider !== null) refused = await streamUpload(wider, { request, response, storage });
    if (refused !== null) sendError(response, refused);
  } catch (error) {
    // The client closed the connection.
    if (!request.socket.destroyed) log.warn({ err: error }, 'could not serve an uploaded file from S3');
    sendError(response, 503);
  }
  return true;
}
