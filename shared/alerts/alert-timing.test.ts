import { describe, expect, it } from 'vitest';
import { backoffMs, rateLimitWaitMs } from './alert-timing';

describe('retry timing', () => {
  it('doubles from one second to thirty', () => {
    const middle = (): number => 0.5;
    expect([1, 2, 3, 4, 5, 6, 7, 60].map((attempt) => backoffMs(attempt, middle))).toEqual([
      1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000,
    ]);
  });

  it('has a jitter of a fifth', () => {
    expect(backoffMs(3, () => 0)).toBe(3200);
    expect(backoffMs(3, () => 1)).toBe(4800);
  });

  it('is never early', () => {
    expect(rateLimitWaitMs(2500, () => 0)).toBe(2500);
    expect(rateLimitWaitMs(2500, () => 1)).toBe(2550);
  });
});
