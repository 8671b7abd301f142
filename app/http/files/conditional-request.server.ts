import { matchesEtag, matchesStrongEtag } from '../server/etag.server';

/** The part of a file to send: both byte positions of a range are included. */
export type FileDecision =
  | { status: 200 }
  | { status: 206; range: { start: number; end: number } }
  | { status: 304 }
  | { status: 412 }
  | { status: 416 };

/**
 * One range of bytes: first and last position, or the length of the end of the file. Own code, because range-parser 1.2.1,
 * which `send` uses, refuses an end past the file's own and reads `bytes=x-5` as the last five bytes.
 */
const SINGLE_RANGE = /^bytes=[\t ]*(?:(\d+)-(\d*)|-(\d+))[\t ]*$/i;

/** The range of a Range header; `whole` for a header to be ignored; null for a range outside the file. */
function parseRange(header: string, size: number): { start: number; end: number } | 'whole' | null {
  const match = SINGLE_RANGE.exec(header);
  if (match === null) return 'whole';
  const [, first, last = '', suffix] = match;
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (suffix !== undefined) {
    const length = Math.min(Number(suffix), size);
    return length === 0 ? null : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return 'whole';
  return start < size ? { start, end } : null;
}

/** Whether a GET request asks for the rest of a file. */
export function resumes({ method, headers }: Pick<Request, 'method' | 'headers'>): boolean {
  const first = /^bytes=[\t ]*(\d+)-/i.exec(headers.get('Range') ?? '')?.[1];
  return method === 'GET' && first !== undefined && Number(first) > 0;
}

/** Whether a GET request asks for the rest of a file, and does not say of which version (If-Range or If-Match). */
export function resumesUnconditionally(request: Pick<Request, 'method' | 'headers'>): boolean {
  return resumes(request) && !request.headers.has('If-Range') && !request.headers.has('If-Match');
}

/**
 * Decides what to send of a file, by its strong ETag and its size in bytes (RFC 9110, sections 13.2.2 and 14.2). Preconditions
 * on dates never apply, because a file has no Last-Modified. A request for several ranges, or with a malformed one, gets the
 * whole file.
 */
export function answerFileRequest(
  { method, headers }: Pick<Request, 'method' | 'headers'>,
  { etag, size }: { etag: string; size: number },
): FileDecision {
  const ifMatch = headers.get('If-Match');
  if (ifMatch !== null && !matchesStrongEtag(ifMatch, etag)) return { status: 412 };
  if (matchesEtag(headers.get('If-None-Match'), etag)) return { status: 304 };

  const range = headers.get('Range');
  const ifRange = headers.get('If-Range');
  // Range is defined only for GET (section 14.2).
  if (range === null || method !== 'GET') return { status: 200 };
  if (ifRange !== null && ifRange.trim() !== etag) return { status: 200 };
  const parsed = parseRange(range, size);
  if (parsed === 'whole') return { status: 200 };
  return parsed === null ? { status: 416 } : { status: 206, range: parsed };
}
