import type { IncomingMessage, ServerResponse } from 'node:http';
import send from 'send';
import type { Config } from '#shared/config.server';
import { DAY } from '#shared/clock';
import { uploadsFolder } from '#shared/storage/disk-storage.server';
import { uploadIdOf, UPLOADS_PATH } from '#shared/storage/upload-path';
import { NO_DOCUMENT_POLICY } from './security-headers.server';

function sendNotFound(response: ServerResponse): void {
  response.statusCode = 404;
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store');
  response.end('There is no such file.\n');
}

/** Responds to an error of `send`, which may already have set headers of the file. */
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

/**
 * Serves an uploaded file, with ranges and conditional requests. Returns false for any other path. An uploaded file never
 * changes, so it is sent as immutable.
 */
export function serveUpload(
  request: IncomingMessage,
  response: ServerResponse,
  { dataDir }: Pick<Config, 'dataDir'>,
): boolean {
  const [path = ''] = (request.url ?? '/').split('?', 1);
  if (!path.startsWith(UPLOADS_PATH)) return false;
  if (uploadIdOf(path) === null) {
    sendNotFound(response);
    return true;
  }
  send(request, path.slice(UPLOADS_PATH.length - 1), {
    root: uploadsFolder(dataDir),
    immutable: true,
    maxAge: 365 * DAY,
    index: false,
    dotfiles: 'ignore',
  })
    .on('headers', () => response.setHeader('Content-Security-Policy', NO_DOCUMENT_POLICY))
    .on('error', ({ status }: { status: number }) => sendError(response, status))
    .on('directory', () => sendNotFound(response))
    .pipe(response);
  return true;
}
