import { expect, test } from 'vitest';
import { readCookies } from './cookies.server';

test.each([
  ['a=1; b=2', { a: '1', b: '2' }],
  ['a=1;b=2;', { a: '1', b: '2' }],
  [' a = 1 ', { a: '1' }],
  ['a=1; a=2', { a: '1' }],
  ['a=1=2', { a: '1=2' }],
  ['a=', { a: '' }],
  ['a; =1; ;', {}],
  ['a=%7B%22', { a: '%7B%22' }],
  ['', {}],
  [null, {}],
  [undefined, {}],
])('%s', (header, cookies) => {
  expect(Object.fromEntries(readCookies(header))).toEqual(cookies);
});
