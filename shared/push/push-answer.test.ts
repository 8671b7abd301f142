import { expect, test } from 'vitest';
import { describeAnswer, readRetryAfterMs } from './push-answer';

const describe = (text: string) => describeAnswer({ host: 'push.example' }, { status: 400, text });

test('the words of a push service are one line without its endpoint, and cannot turn the text around them', () => {
  const endpoint = `https://push.example/send/${'x'.repeat(40)}`;
  for (const [text, words] of [
    ['', ''],
    ['{"message":"no\\nsuch\\tkey"}', ': no such key'],
    ['{"reason":"BadJwtToken"}', ': BadJwtToken'],
    ['{"reason":["x"]}', ''],
    ['<h1>Bad</h1>', ''],
    [`gone: ${endpoint} and ${'y'.repeat(30)}`, ': gone: … and …'],
    ['a\u202eb\u2066c\u200bd\u0007e\u001b[31mf', ': a b c d e [31mf'],
    ['w '.repeat(1_000), `: ${'w '.repeat(100)}`],
  ] as const)
    expect(describe(text)).toBe(`push.example answered 400${words}`);
});

test('a time to wait is read in seconds or as a date', () => {
  const now = Date.parse('2027-01-15T12:00:00Z');
  expect(readRetryAfterMs(['7', '9'], now)).toBe(7_000);
  expect(readRetryAfterMs('Fri, 15 Jan 2027 12:01:00 GMT', now)).toBe(60_000);
  expect(readRetryAfterMs('Fri, 15 Jan 2027 11:00:00 GMT', now)).toBe(0);
  for (const text of [undefined, '', 'soon', '-1', '1.5']) expect(readRetryAfterMs(text, now)).toBeNull();
});
