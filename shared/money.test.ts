import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatPounds, parsePounds, toPounds } from './money';

test('amounts are written with two decimals and separated thousands', () => {
  expect([0, 5, 499, 9590, 123_456, -250].map(formatPounds)).toEqual([
    '£0.00',
    '£0.05',
    '£4.99',
    '£95.90',
    '£1,234.56',
    '-£2.50',
  ]);
});

test('every amount that is written is read back to the penny', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999_999 }), (pence) => {
      expect(parsePounds(formatPounds(pence).replaceAll(',', ''))).toBe(pence);
      expect(Math.round(toPounds(pence) * 100)).toBe(pence);
    }),
  );
});

test.each(['', '4.9', '4.999', '-1.00', '1e3', '4,99', '1.00 GBP', '99999999'])(
  '"%s" is not an amount',
  (text) => {
    expect(parsePounds(text)).toBeNull();
  },
);

test('a part of a penny is refused', () => {
  expect(() => formatPounds(9.99)).toThrow('not a whole number of pence: 9.99');
});
