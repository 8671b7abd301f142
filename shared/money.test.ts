import { describe, expect, it } from 'vitest';
import { formatPounds } from './money';

describe('formatPounds', () => {
  it.each([
    [0, '£0.00'],
    [5, '£0.05'],
    [999, '£9.99'],
    [1000, '£10.00'],
    [120_000, '£1,200.00'],
    [-50, '-£0.50'],
    [123_456_789, '£1,234,567.89'],
  ])('writes %i pence as %s', (pence, text) => {
    expect(formatPounds(pence)).toBe(text);
  });

  it('refuses a part of a penny', () => {
    expect(() => formatPounds(9.99)).toThrow('not a whole number of pence: 9.99');
  });
});
