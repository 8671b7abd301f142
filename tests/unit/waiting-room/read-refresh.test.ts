import { expect, test } from 'vitest';
import { readRefresh } from '../../../daemon/waiting-room/parse/read-refresh';

const TO = 'https://queue.example/?a=1;b=2';

/** HTML Standard, "shared declarative refresh steps". */
test.each([
  ['20', { seconds: 20, url: null }],
  ['  5.75 ', { seconds: 5, url: null }],
  ['.5', { seconds: 0, url: null }],
  ['1.2.3;', { seconds: 1, url: null }],
  [`0;url=${TO}`, { seconds: 0, url: TO }],
  [`0, URL = "${TO}" and more`, { seconds: 0, url: TO }],
  [`0;\turl\n=\r'${TO}`, { seconds: 0, url: TO }],
  [`0 ${TO}`, { seconds: 0, url: TO }],
  [`3;'${TO}'`, { seconds: 3, url: TO }],
  ["0;url='it\"s'", { seconds: 0, url: 'it"s' }],
  ['0;url', { seconds: 0, url: 'url' }],
  ['0;u', { seconds: 0, url: 'u' }],
  ['0;under/here', { seconds: 0, url: 'under/here' }],
  ['0;url=', { seconds: 0, url: null }],
  [`${'7'.repeat(30)};url=x`, { seconds: 999_999_999, url: 'x' }],
  ['', null],
  ['soon', null],
  ['-1', null],
  ['5x', null],
  ['5x;url=x', null],
  [';url=x', null],
  ['0;url=JavaScript:alert(1)', null],
  [`0;url=/${'x'.repeat(9_000)}`, null],
])('a refresh of %j is %j', (value, refresh) => {
  expect(readRefresh(value)).toEqual(refresh);
});
