import { expect, test } from 'vitest';
import { decodeText } from './decode-text';

test('windows-1252 keeps its curly apostrophes and its euro sign', () => {
  const bytes = Buffer.from([0x64, 0x92, 0x80, 0xe9]);
  expect(decodeText(bytes, 'text/html; charset=windows-1252').text).toBe('d’€é');
  expect(decodeText(bytes, 'text/html').text).toBe('d’€é');
});

test('a charset that the page names itself is used', () => {
  const page = Buffer.concat([Buffer.from('<meta charset="gbk">'), Buffer.from([0xc4, 0xfa])]);
  expect(decodeText(page, 'text/html').text).toBe('<meta charset="gbk">您');
});
