import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { readBody } from './read-body.server';

/** A request whose body starts with these chunks and continues with `pull`. */
function sending(
  chunks: readonly string[],
  pull?: (controller: ReadableStreamDefaultController<Uint8Array>) => void,
): Request {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      if (pull === undefined) controller.close();
    },
    pull,
  });
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, duplex: 'half' };
  return new Request('https://packwatch.example/theme', init);
}

describe('a body', () => {
  test('is read completely', async () => {
    expect(Buffer.from(await readBody(sending(['the', 'me']), 10)).toString()).toBe('theme');
  });

  test('above the limit is refused', async () => {
    await expect(readBody(sending(['theme']), 4)).rejects.toMatchObject({ failure: { status: 413 } });
  });

  test.each([
    ['gzip', 415],
    ['identity', null],
  ])('with the encoding %s: %s', async (encoding, status) => {
    const request = sending(['theme']);
    request.headers.set('Content-Encoding', encoding);
    const read = readBody(request, 10);
    if (status === null) expect(await read).toHaveLength(5);
    else await expect(read).rejects.toMatchObject({ failure: { status } });
  });

  test('whose client closes the connection is a refusal, and another fault is a bug', async () => {
    const failing = (error: Error) => sending(['t'], (controller) => controller.error(error));
    const reset = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
    await expect(readBody(failing(reset), 10)).rejects.toMatchObject({ failure: { status: 400 } });
    const bug = new Error('a bug');
    await expect(readBody(failing(bug), 10)).rejects.toBe(bug);
  });

  test('whose client stops sending times out', async () => {
    const silent = sending(['t'], () => undefined);
    await expect(readBody(silent, 10, { arrivalMs: 20 })).rejects.toMatchObject({ failure: { status: 408 } });
  });

  test('whose client sends slowly times out', async () => {
    const dripping = sending(['t'], (controller) => {
      setTimeout(() => controller.enqueue(new Uint8Array(1)), 1);
    });
    await expect(readBody(dripping, 1024 * 1024, { arrivalMs: 20 })).rejects.toMatchObject({
      failure: { status: 408 },
    });
  });

  test('above the limit is drained without keeping it in memory', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const chunks: WeakRef<Uint8Array>[] = [];
    let kept = Number.NaN;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (chunks.length < 20) {
          const chunk = new Uint8Array(1024 * 1024);
          chunks.push(new WeakRef(chunk));
          controller.enqueue(chunk);
          return;
        }
        await nextTurn();
        collectGarbage();
        kept = chunks.filter((chunk) => chunk.deref() !== undefined).length;
        controller.close();
      },
    });
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, duplex: 'half' };
    const request = new Request('https://packwatch.example/theme', init);
    await expect(readBody(request, 4)).rejects.toMatchObject({ failure: { status: 413 } });
    expect(kept).toBeLessThan(5);
  });
});
