import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { currentRequest } from '../server/request-context.server';

/** Waits until the client has taken what was written; false if the connection is closed. */
async function readyForMore(response: ServerResponse): Promise<boolean> {
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
 * The body of a response that sends a file to the client of the current request. Remix writes what it reads without waiting
 * for the client (@remix-run/node, `writeReadableStreamToWritable`), and would hold the rest of the file in memory for a slow
 * one: this body gives the next bytes only when the last ones have left. Destroys `source` when the connection closes.
 */
export function fileBody(
  source: Readable,
  response: ServerResponse | undefined = currentRequest()?.response,
): ReadableStream<Uint8Array> {
  // Also when Remix does not read the body, because the client has left already.
  if (response?.closed === true) source.destroy();
  else response?.once('close', () => source.destroy());
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (response !== undefined && !(await readyForMore(response))) return controller.close();
        try {
          const { done, value } = await chunks.next();
          if (done === true) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          if (response?.closed === true) controller.close();
          else throw error;
        }
      },
      cancel() {
        source.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}
