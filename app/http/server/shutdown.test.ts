import { expect, test, vi } from 'vitest';
import { createLogger } from '#shared/logger.server';
import { createInFlight, createStop } from './shutdown.server';

function prepare({ limitMs = 10_000 } = {}) {
  const order: string[] = [];
  const inFlight = createInFlight();
  const clock = { ms: 0 };
  const stop = createStop({
    log: createLogger({ logLevel: 'silent' }, 'test'),
    inFlight,
    close: async () => void order.push('closed'),
    exit: (code) => void order.push(`exit ${code}`),
    elapsedMs: () => clock.ms,
    limitMs,
  });
  return { order, inFlight, stop, clock };
}

test('with nothing in flight the connections close and the process exits with 0', async () => {
  const { order, stop } = prepare();
  await stop('SIGTERM');
  expect(order).toEqual(['closed', 'exit 0']);
});

test('what is in flight ends first', async () => {
  const { order, inFlight, stop } = prepare();
  inFlight.begin();
  inFlight.begin();
  const stopped = stop('SIGTERM');
  inFlight.end();
  expect(order).toEqual([]);
  inFlight.end();
  await stopped;
  expect(order).toEqual(['closed', 'exit 0']);
});

test('a request that will not end is given up on after the limit', async () => {
  vi.useFakeTimers();
  const { order, inFlight, stop } = prepare({ limitMs: 10_000 });
  inFlight.begin();
  const stopped = stop('SIGTERM');
  await vi.advanceTimersByTimeAsync(9_999);
  expect(order).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  await stopped;
  expect(order).toEqual(['closed', 'exit 0']);
  vi.useRealTimers();
});

test('a second signal exits at once, the same one passed on does not', async () => {
  const { order, inFlight, stop, clock } = prepare();
  inFlight.begin();
  const stopped = stop('SIGINT');
  clock.ms = 80;
  await stop('SIGTERM');
  expect(order).toEqual([]);
  clock.ms = 900;
  await stop('SIGINT');
  expect(order).toEqual(['exit 1']);
  inFlight.end();
  await stopped;
});

test('a connection that will not close does not keep the process', async () => {
  const order: string[] = [];
  const stop = createStop({
    log: createLogger({ logLevel: 'silent' }, 'test'),
    inFlight: createInFlight(),
    close: () => Promise.reject(new Error('stuck')),
    exit: (code) => void order.push(`exit ${code}`),
    elapsedMs: () => 0,
  });
  await stop('SIGTERM');
  expect(order).toEqual(['exit 0']);
});
