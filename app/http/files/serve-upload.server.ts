import type { IncomingMessage, ServerResponse } from 'node:http';
import send from 'send';
import type { Config } from '#shared/config.server';
import { DAY } from '#shared/clock';
import type { Logger } from '#shared/logger.server';
import { uploadsFolder } from '#shared/storage/disk-storage.server';
import type { FileStorage } from '#shared/storage/storage';
import { uploadIdOf, UPLOADS_PATH } from '#shared/storage/upload-path';
import { NO_DOCUMENT_POLICY } from '../server/security-headers.server';
import { streamUpload } from './stream-upload.server';

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

function serveFromDisk(
  path: string,
  { request, response, root }: { request: IncomingMessage; response: ServerResponse; root: string },
): void {
  send(request, path, { root, immutable: true, maxAge: MAX_AGE_MS, index: false, dotfiles: 'ignore' })
    .on('headers', () => response.setHeader('Content-Security-Policy', NO_DOCUMENT_POLICY))
    .on('error', ({ status }: { status: number }) => sendError(response, status))
    .on('directory', () => sendNotFound(response))
    .pipe(response);
}

/**
 * Serves an uploaded file from the disk or from S3, with ranges and conditional requests. Returns false for any other path.
 * An uploaded file never changes, so it is sent as immutable.
 */
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
    serveFromDisk(file, { request, response, root: uploadsFolder(dataDir) });
    return true;
  }
  response.setHeader('Content-Security-Policy', NO_DOCUMENT_POLICY);
  response.setHeader('Cache-Control', `public, max-age=${MAX_AGE_MS / 1_000}, immutable`);
  try {
    const refused = await streamUpload(file, { request, response, storage });
    if (refused !== null) sendError(response, refused);
  } catch (error) {
    // The client closed the connection.
    if (!request.socket.destroyed) log.warn({ err: error }, 'could not serve an uploaded file from S3');
    sendError(response, 503);
  }
  return true;
}
