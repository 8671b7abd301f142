import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createInFlight } from './in-flight.server';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function begin(count: number) {
  const inFlight = createInFlight();
  const responses = Array.from({ length: count }, () => new EventEmitter());
  for (const response of responses) inFlight.track(response);
  return { inFlight, responses };
}

test('with no request in flight there is no wait', async () => {
  expect(await begin(0).inFlight.drained(10_000)).toBe(true);
});

test('the wait ends when the last response has closed', async () => {
  const { inFlight, responses } = begin(2);
  const drained = vi.fn();
  const waited = inFlight.drained(10_000).then(drained);
  responses[0]?.emit('close');
  await vi.advanceTimersByTimeAsync(0);
  expect(drained).not.toHaveBeenCalled();
  expect(inFlight.count()).toBe(1);
  responses[1]?.emit('close');
  await waited;
  expect(drained).toHaveBeenCalledWith(true);
});

test('the wait for a request that does not end is limited', async () => {
  const { inFlight } = begin(1);
  const drained = vi.fn();
  void inFlight.drained(10_000).then(drained);
  await vi.advanceTimersByTimeAsync(9_999);
  expect(drained).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(drained).toHaveBeenCalledWith(false);
});
