import { describe, expect, it, test } from 'vitest';
import { createTransferRate, describeDuration, secondsLeft } from './transfer-rate';

const MB = 1024 * 1024;

describe('the speed of a transfer', () => {
  it('is unknown in the first second', () => {
    const rate = createTransferRate();
    expect(rate.bytesPerSecond()).toBeNull();
    rate.note(0, 0);
    rate.note(9 * MB, 900);
    expect(rate.bytesPerSecond()).toBeNull();
    expect(secondsLeft(MB, rate.bytesPerSecond())).toBeNull();
  });

  it('is the mean of the last ten seconds', () => {
    const rate = createTransferRate();
    for (let second = 0; second <= 20; second += 1) rate.note(second * 8 * MB, second * 1000);
    for (let second = 21; second <= 31; second += 1) rate.note(160 * MB + (second - 20) * MB, second * 1000);
    expect((rate.bytesPerSecond() ?? 0) / MB).toBe(1);
    expect(secondsLeft(30 * MB, rate.bytesPerSecond())).toBe(30);
  });

  it('starts anew after a pause, and when the server has fewer bytes than were sent', () => {
    const rate = createTransferRate();
    rate.note(0, 0);
    rate.note(10 * MB, 2000);
    rate.clear();
    rate.note(10 * MB, 60_000);
    expect(rate.bytesPerSecond()).toBeNull();
    rate.note(12 * MB, 61_000);
    rate.note(4 * MB, 70_000);
    rate.note(6 * MB, 72_000);
    expect((rate.bytesPerSecond() ?? 0) / MB).toBe(1);
  });

  it('of a stalled transfer gives no time left', () => {
    const rate = createTransferRate();
    rate.note(MB, 0);
    rate.note(MB, 5000);
    expect(secondsLeft(MB, rate.bytesPerSecond())).toBeNull();
  });
});

test.each([
  [0.2, 'a few seconds'],
  [12, 'about 15 seconds'],
  [56, 'about 1 minute'],
  [61, 'about 2 minutes'],
  [3599, 'about 1 hour'],
  [3601, 'about 1 hour 1 minute'],
  [7500, 'about 2 hours 5 minutes'],
])('%d seconds are described as %s', (seconds, words) => {
  expect(describeDuration(seconds)).toBe(words);
});
