import { MINUTE } from '#shared/clock';
import { HttpRefusal } from '../server/failures.server';

/** An upload is aborted when nothing arrives for this long. */
export const IDLE_LIMIT_MS = MINUTE;
/** Maximum bytes to drain of an upload that is too large: its sender is signed in, and may have chosen several videos. */
const UPLOAD_DRAIN_BYTES = 1024 * 1024 * 1024;
/** The rest of a rejected form is drained for at most this long. */
const DRAIN_LIMIT_MS = 5 * MINUTE;

export function malformedUpload(cause?: unknown): HttpRefusal {
  const refusal = new HttpRefusal({
    status: 400,
    code: 'malformed_upload',
    message: 'The upload was interrupted or cannot be read. Please try again.',
  });
  refusal.cause = cause;
  return refusal;
}

export function uploadTooLarge(): HttpRefusal {
  return new HttpRefusal({
    status: 413,
    code: 'payload_too_large',
    message: 'The form is too large.',
  });
}

export interface BodyLimit {
  bytes: number;
  /** Maximum bytes to parse. If Content-Length exceeds the limit, only the text fields are parsed. */
  parsedBytes: number;
  announcedOver: boolean;
  refusal: Error;
}

/**
 * Reads a body to its end and passes its chunks to `parse` until `stop` aborts; it drains the rest. A client reads the
 * response only after it has sent everything, and cancelling the body would reset its connection. Cancels the body, which
 * closes the connection, after `UPLOAD_DRAIN_BYTES` or after `DRAIN_LIMIT_MS` of draining. Rejects when the connection
 * breaks, or when nothing arrives for `IDLE_LIMIT_MS`.
 */
export async function readToEnd(
  body: ReadableStream<Uint8Array>,
  {
    limit,
    stop,
    parse,
  }: { limit: BodyLimit; stop: AbortController; parse: (chunk: Uint8Array) => Promise<void> },
): Promise<void> {
  const reader = body.getReader();
  const cut = (refusal: Error): void => {
    stop.abort(refusal);
    reader.cancel().catch(() => undefined);
  };
  // A client that sends nothing more reads its response: the connection stays open for it.
  let giveUp: (refusal: Error) => void = () => undefined;
  const idleTimer = setTimeout(() => {
    const refusal = malformedUpload();
    stop.abort(refusal);
    giveUp(refusal);
  }, IDLE_LIMIT_MS);
  const nextChunk = () =>
    new Promise<Awaited<ReturnType<typeof reader.read>>>((resolve, reject) => {
      giveUp = reject;
      reader.read().then(resolve, reject);
    });
  let drainUntil = Infinity;
  stop.signal.addEventListener('abort', () => (drainUntil = performance.now() + DRAIN_LIMIT_MS));
  try {
    for (let size = 0; ;) {
      const { done, value } = await nextChunk();
      if (done) return;
      idleTimer.refresh();
      size += value.byteLength;
      if (size > Math.max(limit.bytes, UPLOAD_DRAIN_BYTES)) cut(limit.refusal);
      else if (performance.now() > drainUntil) cut(malformedUpload());
      else if (size > limit.parsedBytes) stop.abort(limit.refusal);
      if (!stop.signal.aborted) await parse(value);
    }
  } finally {
    clearTimeout(idleTimer);
  }
}
