import { describe, expect, it } from 'vitest';
import { OUTBOXES } from './outboxes';
import { retryWaitMs } from './outcome';

const { backoff } = OUTBOXES.alerts;
const backoffMs = (attempt: number, random: () => number): number =>
  retryWaitMs({}, { attempt, backoff, random });

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

  it('waits for a rate limit, never shorter, however many attempts failed', () => {
    const waitFor = (spread: number): number =>
      retryWaitMs({ waitMs: 2500, limited: 'receiver' }, { attempt: 9, backoff, random: () => spread });
    expect(waitFor(0)).toBe(2500);
    expect(waitFor(1)).toBe(2550);
  });

  it('waits as long as a receiver asks for, if that is longer than the backoff', () => {
    const wait = (waitMs: number, attempt: number): number =>
      retryWaitMs({ waitMs }, { attempt, backoff, random: () => 0.5 });
    expect([wait(5000, 1), wait(5000, 4)]).toEqual([5000, 8000]);
  });
});
