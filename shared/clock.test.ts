import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND, describeDuration } from './clock';

describe('a duration in words', () => {
  it.each([
    [0, 'less than a minute'],
    [29 * SECOND, 'less than a minute'],
    [30 * SECOND, '1 minute'],
    [MINUTE, '1 minute'],
    [89 * SECOND, '1 minute'],
    [90 * SECOND, '2 minutes'],
    [39 * MINUTE, '39 minutes'],
    [59 * MINUTE + 29 * SECOND, '59 minutes'],
    [59 * MINUTE + 30 * SECOND, '1 hour'],
    [HOUR + MINUTE, '1 hour 1 minute'],
    [2 * HOUR + 5 * MINUTE, '2 hours 5 minutes'],
    [26 * HOUR, '26 hours'],
  ])('%i ms are %s', (ms, words) => {
    expect(describeDuration(ms)).toBe(words);
  });

  it('is never negative, also after a clock step', () => {
    expect(describeDuration(-HOUR)).toBe('less than a minute');
  });
});
