import { PassThrough, pipeline, type Readable } from 'node:stream';
import { S3Fault } from './s3-faults';

/**
 * Runs a call to S3 for at most `ms`, all attempts and the body of the response included. Rejects with a fault that says so.
 * The SDK's own limits end with the headers of the response.
 */
export async function withinLimit<T>(ms: number, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const abort = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new S3Fault(`no response within ${ms / 1_000} s`, null));
      abort.abort();
    }, ms);
  });
  try {
    return await Promise.race([call(abort.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Passes a body on. Fails when no byte came for `ms` although the reader of the body waits for more. */
export function limitStalls(body: Readable, ms: number): Readable {
  const passed = new PassThrough();
  const timer = setTimeout(() => {
    if (passed.writableNeedDrain) timer.refresh();
    else body.destroy(new S3Fault(`the file stopped for ${ms / 1_000} s`, null));
  }, ms);
  body.on('data', () => timer.refresh());
  passed.on('drain', () => timer.refresh());
  pipeline(body, passed, () => clearTimeout(timer));
  return passed;
}
