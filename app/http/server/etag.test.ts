import { describe, expect, test } from 'vitest';
import { matchesEtag } from './etag.server';

describe('If-None-Match', () => {
  test.each([
    ['W/"a"', 'W/"a"', true],
    ['"a"', 'W/"a"', true],
    ['W/"a"', '"a"', true],
    ['"b", W/"a"', 'W/"a"', true],
    ['"b","a"', 'W/"a"', true],
    ['"b, c", "a"', 'W/"a"', true],
    [' * ', 'W/"a"', true],
    ['"b"', 'W/"a"', false],
    ['a', 'W/"a"', false],
    ['"*"', 'W/"a"', false],
    ['', 'W/"a"', false],
    [null, 'W/"a"', false],
    [undefined, 'W/"a"', false],
  ])('%s matches %s: %s', (header, etag, matches) => {
    expect(matchesEtag(header, etag)).toBe(matches);
  });
});
