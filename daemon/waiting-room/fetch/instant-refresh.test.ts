import { describe, expect, it } from 'vitest';
import { instantRefresh } from './fetch-direct';

const PAGE = 'https://shop.example/start';

function refreshOf(text: string, headers: Record<string, string> = {}): string | null {
  return instantRefresh({ headers, text, decodable: true }, PAGE);
}

describe('a page that is otherwise empty', () => {
  it.each([
    ['a refresh element', '<meta http-equiv="refresh" content="0;url=/next">'],
    ['one in capitals', '<META HTTP-EQUIV=Refresh CONTENT="0; URL=/next">'],
    ['one whose name has a decimal reference', '<meta http-equiv="&#114;efresh" content="0;url=/next">'],
    ['one whose name has a hexadecimal reference', '<meta http-equiv="r&#x65;fresh" content="0;url=/next">'],
  ])('leads to the next one by %s', (_name, text) => {
    expect(refreshOf(text)).toBe('https://shop.example/next');
  });

  it('leads to the next one by a header', () => {
    expect(refreshOf('', { refresh: '0; url=/next' })).toBe('https://shop.example/next');
  });

  it('leads nowhere without either', () => {
    expect(refreshOf('<p></p>')).toBeNull();
  });
});
