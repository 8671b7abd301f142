import { expect, test } from 'vitest';
import { safePath } from './paths';

test.each(['/', '/news?page=2', '/#pricing', '/a/b%20c'])('a path on this site is kept: %s', (path) => {
  expect(safePath(path)).toBe(path);
});

test.each([
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  'https:evil.example',
  'https://evil.example/',
  'javascript:alert(1)',
  '/.//evil.example',
  '/a/..//evil.example',
  '/\t/evil.example',
  '\n/evil',
  'news',
  '',
  null,
  undefined,
  ['/'],
])('anything else becomes the landing page: %j', (value) => {
  expect(safePath(value)).toBe('/');
});
