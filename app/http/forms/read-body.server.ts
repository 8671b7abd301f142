import { MINUTE } from '#shared/clock';
import { HttpRefusal } from '../server/failures.server';

/** A body over its limit is drained up to this size, so that the client reads our response; past it, we close. */
const DRAIN_BYTES = 32 * 1024 * 1024;

/** How long a body may take to arrive. The same as Node's default `requestTimeout`. */
const ARRIVAL_LIMIT_MS = 5 * MINUTE;

function tooLarge(limitBytes: number): HttpRefusal {
  const kilobytes = Math.floor(limitBytes / 1024);
  return new HttpRefusal({
    status: 413,
    code: 'payload_too_large',
    message: `The request is too large. At most ${kilobytes} KB are accepted here.`,
  });
}

function tooSlow(): HttpRefusal {
  return new HttpRefusal({
    status: 408,
    code: 'request_timeout',
    message: 'The request took too long to arrive. Please try again.',
  });
}

/** Throws a refusal, 415, of a compressed body (RFC 9110, section 15.5.16). */
export function refuseCompressed(headers: Headers): void {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return;
  throw new HttpRefusal({
    status: 415,
    code: 'unsupported_content_encoding',
    message: 'Send the request body without compression, that is, without the header Content-Encoding.',
    headers: { 'Accept-Encoding': 'identity' },
  });
}

/** For the log: the client has closed the connection, so nothing reads the response. */
function incomplete(): HttpRefusal {
  return new HttpRefusal({
    status: 400,
    code: 'request_incomplete',
    message: 'The request ended before it had arrived completely.',
  });
}

/** Whether the client closed the connection in the middle of the body (node:_http_server, `abortIncoming`). */
function isCutOff(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNRESET';
}

/**
 * Reads a request's body and keeps at most `limitBytes` of it in memory. Throws refusals: 415 for a compressed
 * body, 413 for a larger one, 408 when it has not arrived within `arrivalMs`, 400 when the client closed the connection
 * before its end.
 */
export async function readBody(
  request: Request,
  limitBytes: number,
  { arrivalMs = ARRIVAL_LIMIT_MS }: { arrivalMs?: number } = {},
): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array();
  refuseCompressed(request.headers);
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  let isLate = false;
  let rejectRead = () => {};
  const timer = setTimeout(() => {
    isLate = true;
    rejectRead();
  }, arrivalMs);
  // Promise.race with one promise of the limit would keep every chunk in memory until that promise settles.
  const readChunk = () =>
    new Promise<ReadableStreamReadResult<Uint8Array>>((resolve, reject) => {
      rejectRead = () => reject(tooSlow());
      reader.read().then(resolve, reject);
    });
  try {
    for (;;) {
      if (isLate) throw tooSlow();
      const { done, value } = await readChunk();
      if (done) break;
      size += value.byteLength;
      if (size > Math.max(limitBytes, DRAIN_BYTES)) {
        await reader.cancel();
        break;
      }
      if (size <= limitBytes) chunks.push(value);
      else chunks.length = 0;
    }
  } catch (error) {
    throw isCutOff(error) ? incomplete() : error;
  } finally {
    clearTimeout(timer);
  }
  if (size > limitBytes) throw tooLarge(limitBytes);
  return Buffer.concat(chunks);
}

/** The JSON object in a request's body; empty counts as `{}`. Throws 415 (media type), 413 (too large) and 400 (no JSON). */
export async function readJson(request: Request, limitBytes: number): Promise<unknown> {
  const mediaType = request.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  const isJson = mediaType === 'application/json' || /^application\/[\w.-]+\+json$/.test(mediaType ?? '');
  if (mediaType !== undefined && !isJson) throw unsupportedMediaType();
  const bytes = await readBody(request, limitBytes);
  if (bytes.byteLength === 0) return {};
  if (!isJson) throw unsupportedMediaType();
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new HttpRefusal({
      status: 400,
      code: 'malformed_json',
      message: 'The request body is not valid JSON.',
    });
  }
}

function unsupportedMediaType(): HttpRefusal {
  return new HttpRefusal({
    status: 415,
    code: 'unsupported_media_type',
    message: 'Send the request body as JSON, with the header Content-Type: application/json.',
  });
}
