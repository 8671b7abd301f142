import { ERRORS, TUS_VERSION } from '@tus/server';
import { DomainError } from '#shared/errors';
import { uploadNotFound } from '#shared/releases/resumable-upload.server';
import { refuseCompressed } from '~/http/forms/read-body.server';
import { HttpRefusal, type Failure } from '~/http/server/failures.server';

/** Our failures for the errors that @tus/server throws. */
const FAILURES = new Map<unknown, Failure>([
  [
    ERRORS.INVALID_OFFSET,
    {
      status: 409,
      code: 'offset_conflict',
      message: 'Wrong offset. Send HEAD to read the current one.',
    },
  ],
  [ERRORS.ERR_SIZE_EXCEEDED, tooLarge()],
  [ERRORS.ERR_MAX_SIZE_EXCEEDED, tooLarge()],
  [ERRORS.INVALID_LENGTH, badHeader('Upload-Length must be the size of the whole file in bytes.')],
  [
    ERRORS.UNSUPPORTED_CREATION_DEFER_LENGTH_EXTENSION,
    badHeader('Upload-Length must be known when the upload begins.'),
  ],
  [
    ERRORS.UNSUPPORTED_CONCATENATION_EXTENSION,
    badHeader('An upload is sent in one piece after the other: Upload-Concat is not supported.'),
  ],
  [
    ERRORS.INVALID_METADATA,
    badHeader('Upload-Metadata must be pairs of a key and a Base64 text, separated by commas.'),
  ],
  [ERRORS.MISSING_OFFSET, badHeader('The header Upload-Offset is missing.')],
  // The request ended because another one asked for the lock, or because its connection broke.
  [ERRORS.ABORTED, lockedFailure()],
]);

function badHeader(message: string): Failure {
  return { status: 400, code: 'invalid_header', message };
}

function tooLarge(): Failure {
  return {
    status: 413,
    code: 'payload_too_large',
    message: 'These are more bytes than the upload has announced.',
  };
}

/** tus clients retry 423; after other refusals of HEAD they abandon the upload. */
function lockedFailure(): Failure {
  return {
    status: 423,
    code: 'upload_locked',
    message: 'Another request is working on this upload. Please try again in a moment.',
    headers: { 'Retry-After': '1' },
  };
}

/** Converts an error of the tus server or of its callbacks. Returns unknown errors unchanged. */
export function tusFailure(error: unknown): unknown {
  if (error instanceof DomainError && error.code === 'upload_locked') return new HttpRefusal(lockedFailure());
  // More bytes than announced, found while they arrive (@tus/utils 0.7.1, `MaxFileExceededError`, which is not exported).
  if (error instanceof Error && 'status_code' in error && error.status_code === 413)
    return new HttpRefusal(tooLarge());
  if (error === ERRORS.FILE_NOT_FOUND || error === ERRORS.FILE_NO_LONGER_EXISTS) return uploadNotFound();
  const failure = FAILURES.get(error);
  return failure === undefined ? error : new HttpRefusal(failure);
}

/**
 * Checks requests that the tus server would refuse with its own text. Throws refusals: 412 another version of the
 * protocol (tus 1.0.0, "Tus-Resumable"), 415 another media type or compressed bytes.
 */
export function requireTusRequest(method: string, headers: Headers): void {
  const version = headers.get('Tus-Resumable');
  if (!TUS_VERSION.some((supported) => supported === version))
    throw new HttpRefusal({
      status: 412,
      code: 'tus_version',
      message: 'Send the header Tus-Resumable: 1.0.0.',
      headers: { 'Tus-Version': TUS_VERSION.join(',') },
    });
  if (method === 'PATCH' || method === 'POST') refuseCompressed(headers);
  const type = headers.get('Content-Type');
  if (method === 'PATCH' && type !== 'application/offset+octet-stream')
    throw new HttpRefusal({
      status: 415,
      code: 'unsupported_media_type',
      message: 'Send the bytes with the header Content-Type: application/offset+octet-stream.',
    });
}

/** The refusal of a request whose headers the tus server could not read. `text`: its response. */
export function invalidHeaders(text: string): HttpRefusal {
  const names = text.replace(/^Invalid /, '').trim();
  return new HttpRefusal(badHeader(`These headers cannot be read: ${names}.`));
}
