import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatPounds, parsePounds, toPounds } from './money';

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

describe('parsePounds', () => {
  it('reads every amount that is written back to the penny', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999 }), (pence) => {
        expect(parsePounds(formatPounds(pence).replaceAll(',', ''))).toBe(pence);
        expect(Math.round(toPounds(pence) * 100)).toBe(pence);
      }),
    );
  });

  it.each(['', '4.9', '4.999', '-1.00', '1e3', '4,99', '1.00 GBP', '99999999'])('refuses "%s"', (text) => {
    expect(parsePounds(text)).toBeNull();
  });
});
