import type { IncomingMessage } from 'node:http';
import { MINUTE } from '#shared/clock';

/*
 * A browser reads the answer only when it has sent everything. How much of a refused body is heard in vain for that,
 * before its connection is cut:
 */

/** Of one that nobody read: more than the largest file that is taken. */
const UNREAD_HEARD_OUT_BYTES = 256 * 1024 * 1024;
/** Of a form with files that turned out too large: whoever sends it may, and may have chosen several films. */
export const UPLOAD_HEARD_OUT_BYTES = 1024 * 1024 * 1024;

/** Whoever takes longer has not been waiting for our answer. */
const HEARD_OUT_MS = 5 * MINUTE;

/**
 * Lets a sender finish whose body nobody read to its end, since a browser reads the answer only then: a refused upload
 * would otherwise stand still until the connection is given up. Nothing of it is kept; one that never ends is cut off.
 * For after the answer.
 */
export function hearOut(
  request: IncomingMessage,
  { mostBytes = UNREAD_HEARD_OUT_BYTES, mostMs = HEARD_OUT_MS }: { mostBytes?: number; mostMs?: number } = {},
): void {
  if (request.complete || request.destroyed) return;
  // Remix's reader would put the rest into memory (@remix-run/node, `StreamPump`).
  request.removeAllListeners('data');
  let heard = 0;
  request.on('data', (chunk: Buffer) => {
    heard += chunk.byteLength;
    if (heard > mostBytes) request.destroy();
  });
  const patience = setTimeout(() => request.destroy(), mostMs);
  request.once('close', () => clearTimeout(patience));
  request.resume();
}
