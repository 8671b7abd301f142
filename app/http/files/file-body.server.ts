import type { FileHandle } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { currentRequest } from '../server/request-context.server';

/**
 * Creates a queue whose waiters continue in order of arrival, one per iteration of the event loop. Downloads wait in it
 * between two chunks, so that many of them delay a page by one chunk, not by one each.
 */
function createTurns(): () => Promise<void> {
  const waiting: (() => void)[] = [];
  const next = () => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(next);
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(next);
    });
}

/** Memory per download. Twice as much makes a download no faster. */
const CHUNK_BYTES = 128 * 1024;

const takeTurn = createTurns();

/** Waits until the client has taken everything that was written; false if the connection is closed. */
async function hasTakenAll(response: ServerResponse): Promise<boolean> {
  if (response.writableNeedDrain && !response.closed) {
    await new Promise<void>((resolve) => {
      const done = () => {
        response.off('drain', done);
        response.off('close', done);
        resolve();
      };
      response.on('drain', done);
      response.on('close', done);
    });
  }
  return !response.closed;
}

/**
 * The body of a response that sends a part of a file to the client of the current request. Takes the file over and closes it,
 * also when the client leaves. `end` is the position of the last byte.
 *
 * Remix writes what it reads from a body without waiting for the client (@remix-run/node, `writeReadableStreamToWritable`),
 * and would hold the rest of the file in memory for a slow one: this body gives the next bytes only when the last ones have
 * left the process. Then it can use its buffer again, which leaves no garbage: a fresh one per read took 60 MB more with
 * fifty downloads.
 */
export function fileBody(
  file: FileHandle,
  { start, end }: { start: number; end: number },
  response: ServerResponse | undefined = currentRequest()?.response,
): ReadableStream<Uint8Array> {
  let position = start;
  let buffer: Buffer | null = null;
  let closing: Promise<void> | null = null;
  // After a read that is under way (Node, `FileHandle.close`).
  const close = () => (closing ??= file.close().catch(() => undefined));

  /** The buffer of the last chunk, if the client has all of it and nothing on the way can still hold it. */
  function freeBuffer(): Buffer {
    const isFree =
      response?.writableLength === 0 && response.headersSent && !response.hasHeader('Content-Encoding');
    if (buffer === null || !isFree) buffer = Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, end - start + 1));
    return buffer;
  }

  async function nextChunk(): Promise<Uint8Array | null> {
    if (position > end) return null;
    if (response !== undefined && !(await hasTakenAll(response))) return null;
    const chunk = freeBuffer();
    const length = Math.min(chunk.byteLength, end - position + 1);
    const { bytesRead } = await file.read(chunk, 0, length, position);
    if (bytesRead === 0) throw new Error('a stored file is shorter than its record');
    position += bytesRead;
    await takeTurn();
    return chunk.subarray(0, bytesRead);
  }

  // Remix does not read the body of a client that has left already.
  if (response?.closed === true) void close();
  else response?.once('close', () => void close());
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const chunk = await nextChunk();
          if (chunk !== null) return controller.enqueue(chunk);
          await close();
          controller.close();
        } catch (error) {
          await close();
          if (response?.closed === true) controller.close();
          else throw error;
        }
      },
      cancel: () => close(),
    },
    { highWaterMark: 0 },
  );
}

/** As `fileBody`, for a file that arrives from another storage. */
export function streamBody(
  source: Readable,
  response: ServerResponse | undefined = currentRequest()?.response,
): ReadableStream<Uint8Array> {
  if (response?.closed === true) source.destroy();
  else response?.once('close', () => source.destroy());
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          if (response !== undefined && !(await hasTakenAll(response))) return controller.close();
          const { done, value } = await chunks.next();
          if (done === true) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          if (response?.closed === true) controller.close();
          else throw error;
        }
      },
      cancel: () => void source.destroy(),
    },
    { highWaterMark: 0 },
  );
}
