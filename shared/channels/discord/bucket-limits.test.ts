import { expect, it } from 'vitest';
import { createBucketLimits } from './bucket-limits';

const headers = (remaining: number, resetAfter: number, bucket = 'b') => ({
  'x-ratelimit-bucket': bucket,
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-reset-after': String(resetAfter),
});

function limitsAt() {
  const time = { now: 0 };
  return { time, limits: createBucketLimits(() => time.now) };
}

it('counts the calls of a bucket down, and waits until it is reset', () => {
  const { time, limits } = limitsAt();
  expect(limits.take('PUT role')).toBe(0);
  limits.note('PUT role', headers(2, 5));
  expect([limits.take('PUT role'), limits.take('PUT role'), limits.take('PUT role')]).toEqual([0, 0, 5_000]);
  expect(limits.waitMs(['GET member', 'PUT role'])).toBe(5_000);
  time.now = 5_000;
  expect(limits.take('PUT role')).toBe(0);
  // One call learns the new window.
  expect(limits.take('PUT role')).toBeGreaterThan(0);
  limits.note('PUT role', headers(9, 5));
  expect(limits.take('PUT role')).toBe(0);
});

it('a new window has as many calls as the last one', () => {
  const { time, limits } = limitsAt();
  limits.note('PUT role', { ...headers(0, 5), 'x-ratelimit-limit': '3' });
  time.now = 5_000;
  expect(Array.from({ length: 4 }, () => limits.take('PUT role') === 0)).toEqual([true, true, true, false]);
});

it('routes of one bucket share its limit, others have their own', () => {
  const { limits } = limitsAt();
  limits.note('PUT role', headers(0, 3));
  limits.note('DELETE role', headers(0, 3));
  limits.note('GET member', headers(4, 3, 'other'));
  expect([limits.take('PUT role'), limits.take('DELETE role'), limits.take('GET member')]).toEqual([
    3_000, 3_000, 0,
  ]);
});

it('of answers that come in another order, the lowest number of a window counts', () => {
  const { limits } = limitsAt();
  limits.note('PUT role', headers(1, 5));
  limits.note('PUT role', headers(2, 5));
  expect([limits.take('PUT role'), limits.take('PUT role')]).toEqual([0, 5_000]);
});

it('a global limit stops every call, a limit of one route only that one', () => {
  const { time, limits } = limitsAt();
  limits.pause('PUT role', 1_000, false);
  expect([limits.take('PUT role'), limits.take('GET member')]).toEqual([1_000, 0]);
  limits.pause('GET member', 2_000, true);
  expect([limits.take('PUT role'), limits.take('GET me')]).toEqual([2_000, 2_000]);
  time.now = 2_000;
  expect(limits.take('GET me')).toBe(0);
});

it('headers that are odd change nothing', () => {
  const { limits } = limitsAt();
  for (const odd of [{}, { 'x-ratelimit-remaining': 'none' }, headers(Number.NaN, 5), headers(0, -5)])
    limits.note('PUT role', odd);
  expect(limits.take('PUT role')).toBe(0);
});
