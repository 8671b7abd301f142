import { expect, test } from 'vitest';
import { shorten } from './text';

test.each([
  ['', 3, ''],
  ['abc', 3, 'abc'],
  ['abcd', 3, 'ab…'],
  ['a bc', 3, 'a…'],
  ['🃏🃏🃏', 3, '🃏🃏🃏'],
  ['🃏🃏🃏🃏', 3, '🃏🃏…'],
])('%j in room for %i is %j', (text, fits, shortened) => {
  expect(shorten(text, { fits })).toBe(shortened);
});

test('the ellipsis may follow all that fits', () => {
  expect(shorten('abc', { fits: 3, keep: 3 })).toBe('abc');
  expect(shorten('abcd', { fits: 3, keep: 3 })).toBe('abc…');
});
