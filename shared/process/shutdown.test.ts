import { expect, test } from 'vitest';
import { createLogger } from '../logger.server';
import { createShutdown } from './shutdown.server';

function prepare(close: () => Promise<void>) {
  const exits: number[] = [];
  const clock = { ms: 0 };
  const shutDown = createShutdown({
    logger: createLogger({ logLevel: 'silent' }, 'test'),
    close,
    exit: (code) => void exits.push(code),
    elapsedMs: () => clock.ms,
  });
  return { exits, clock, shutDown };
}

function pendingClose() {
  let close: () => void = () => undefined;
  const closing = new Promise<void>((resolve) => (close = resolve));
  return { closing, close };
}

test('the process closes, then exits with 0', async () => {
  const { closing, close } = pendingClose();
  const { exits, shutDown } = prepare(() => closing);
  const shut = shutDown('SIGTERM');
  expect(exits).toEqual([]);
  close();
  await shut;
  expect(exits).toEqual([0]);
});

test('a second signal exits at once, a duplicate within 500 ms does not', async () => {
  const { closing, close } = pendingClose();
  const { exits, shutDown, clock } = prepare(() => closing);
  const shut = shutDown('SIGINT');
  clock.ms = 80;
  await shutDown('SIGTERM');
  expect(exits).toEqual([]);
  clock.ms = 900;
  await shutDown('SIGINT');
  expect(exits).toEqual([1]);
  close();
  await shut;
});

test('a connection that fails to close does not keep the process running', async () => {
  const { exits, shutDown } = prepare(() => Promise.reject(new Error('stuck')));
  await shutDown('SIGTERM');
  expect(exits).toEqual([1]);
});
