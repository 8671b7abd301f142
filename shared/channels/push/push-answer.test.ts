import { expect, test } from 'vitest';
import { classifyAnswer, describeAnswer, readRetryAfterMs } from './push-answer';

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
  for (const text of ['99999999', '9'.repeat(400), 'Fri, 15 Jan 2100 12:01:00 GMT'])
    expect(readRetryAfterMs(text, now)).toBe(3_600_000);
  for (const text of [undefined, '', 'soon', '-1', '1.5']) expect(readRetryAfterMs(text, now)).toBeNull();
});

const FCM_PAGE = '<HTML><HEAD><TITLE>UnauthorizedRegistration</TITLE></HEAD><BODY>Error 400</BODY></HTML>';
const FCM_KEY =
  'the VAPID credentials in the authorization header do not correspond to the credentials used to create the subscriptions.';

test.each([
  // Edge's push service (WNS) throttles with 406; any refusal that names a time is one for now.
  ['retry', 406, '', '30'],
  ['retry', 406, '', undefined],
  ['retry', 413, '', '5'],
  ['retry', 400, '', 'Fri, 15 Jan 2027 12:01:00 GMT'],
  ['retry', 403, '', '5'],
  ...[408, 425, 429, 500, 502, 503, 504, 507].map((status) => ['retry', status, '', undefined] as const),
  ['refused', 401, '{"code":401,"errno":109,"error":"Unauthorized","message":"Key mismatch"}', undefined],
  ['refused', 400, '{"code":400,"errno":109,"error":"Unauthorized"}', undefined],
  ['refused', 403, FCM_KEY, undefined],
  ['refused', 400, FCM_PAGE, undefined],
  ['refused', 400, '{"reason":"VapidPkHashMismatch"}', undefined],
  ['refused', 403, '{"reason":"BadJwtToken"}', undefined],
  ['refused', 403, '{"reason":"ExpiredJwtToken"}', undefined],
  ['refused', 403, '', undefined],
  ['gone', 404, '', undefined],
  ['gone', 410, '{"reason":"Unregistered"}', '60'],
  ['gone', 400, '{"reason":"BadDeviceToken"}', undefined],
  ['rejected', 400, '{"reason":"BadWebPushTopic"}', undefined],
  ['rejected', 413, '{"reason":"PayloadTooLarge"}', undefined],
] as const)('%s: %i %s, Retry-After %s', (how, status, text, retryAfter) => {
  const now = Date.parse('2027-01-15T12:00:00Z');
  expect(classifyAnswer({ host: 'push.example' }, { status, retryAfter, text, now })).toMatchObject({
    ...(how === 'refused' ? { kind: 'gone', what: 'key' } : { kind: how }),
    status,
  });
});
