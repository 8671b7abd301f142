import { describe, expect, test } from 'vitest';
import { normaliseHeaders } from '../../../daemon/waiting-room/fetch/response-headers';
import { readScrappeyAnswer } from '../../../daemon/waiting-room/fetch/scrappey-answer';
import { decodeLoosely } from '../../../daemon/waiting-room/fetch/web-address';
import { judgeOutcome } from '../../../daemon/judging/judge-outcome';
import { judgePage } from '../../../daemon/waiting-room/judge-page';
import { cpuTimeOfCall } from '../../cpu-time';
import { answerWith, bare, shopFrame } from './judging-cases';

/** The processor time of a judgement in milliseconds. */
const timeOf = (answer: ReturnType<typeof answerWith>) => cpuTimeOfCall(() => judgePage(answer));

const SPACES = `1;${' '.repeat(200_000)}'''`;

describe('a refresh with thousands of spaces is judged in linear time', () => {
  test('as an element', () => {
    const page = bare('<p>x</p>', { head: `<meta http-equiv="refresh" content="${SPACES}">` });
    expect(timeOf(answerWith(page))).toBeLessThan(1_000);
  });

  test('as a header', () => {
    expect(timeOf(answerWith(bare('<p>x</p>'), { headers: { refresh: SPACES } }))).toBeLessThan(1_000);
  });
});

describe('a percent sign that begins no escape', () => {
  test('in a script is no fault, and the rest of the address is read', () => {
    const page = (address: string) => bare(`<p>One moment</p><script>location.href="${address}"</script>`);
    expect(judgePage(answerWith(page('https%3a%2f%2fshop.example%2f100%'))).verdict).toBe('unknown');
    const room = page('https%3a%2f%2fshop.queue-it.net%2f%3fc%3dshop%26e%3ddrop%26n%3d100%');
    expect(judgePage(answerWith(room))).toMatchObject({ verdict: 'waiting_room', strength: 'strong' });
  });

  test.each([
    ['100%', '100%'],
    ['%E0%A4%A', '%E0%A4%A'],
    ['a%2Fb%zz%2Fc', 'a/b%zz/c'],
    ['%ff%20%41', '%ff%20%41'],
    ['%c3%a9%', 'é%'],
  ])('%s is decoded as %s', (text, decoded) => {
    expect(decodeLoosely(text)).toBe(decoded);
  });
});

describe('hundreds of thousands of parts do not overflow the stack', () => {
  const many = 130_000;
  test.each([
    ['lines of a post', `<div class="comment">${'a<br>'.repeat(many)}</div>`],
    ['buttons', '<button>a</button>'.repeat(many)],
  ])('%s', (_name, body) => {
    expect(() => judgePage(answerWith(shopFrame(body)))).not.toThrow();
  });

  test('nested JSON in an answer of Scrappey', () => {
    const response = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
    const text = `{"data":"success","solution":{"statusCode":200,"response":${response}}}`;
    const { answer } = readScrappeyAnswer('https://shop.example/', { httpStatus: 200, text });
    expect(answer).toMatchObject({ status: 200, body: '' });
  });
});

test('an answer of Scrappey with NUL characters is read without them, as a browser shows the page', () => {
  const solution = { statusCode: 200, currentUrl: 'https://shop.example/\0', response: 'a\0page' };
  const page = JSON.stringify({ data: 'success', session: 'an\0id', solution });
  expect(readScrappeyAnswer('https://shop.example/', { httpStatus: 200, text: page })).toMatchObject({
    requestId: 'anid',
    answer: { status: 200, body: 'apage' },
  });
  const refusal = JSON.stringify({ data: 'error', error: 'no\0page' });
  expect(readScrappeyAnswer('https://shop.example/', { httpStatus: 200, text: refusal }).errorMessage).toBe(
    'Scrappey could not fetch the page: nopage',
  );
});

describe('headers with names of JavaScript', () => {
  const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];

  test('are headers like all others, and can be sent to a thread', () => {
    const headers = normaliseHeaders([...names, ...names].map((name) => [name, 'y']));
    expect(Object.entries(structuredClone(headers))).toEqual(
      names.map((name) => [name.toLowerCase(), ['y', 'y']]),
    );
    expect(({} as { y?: unknown }).y).toBeUndefined();
    expect(normaliseHeaders({ server: 'nginx' })['constructor']).toBeUndefined();
  });

  test('change no judgement', () => {
    const headers = normaliseHeaders(names.map((name) => ({ name, value: 'y' })));
    const room = bare('<iframe src="/_Incapsula_Resource?SWUDNSAI=31&wrid=868&edet=47"></iframe>');
    expect(judgePage(answerWith(room, { headers })).verdict).toBe('waiting_room');
  });
});

test('a fault of a judgement is an unknown verdict with a reason', () => {
  const answer = { ...answerWith('<p>x</p>'), body: undefined as unknown as string };
  expect(judgeOutcome({ answer, errorMessage: null })).toMatchObject({
    verdict: 'unknown',
    unknownReason: 'error',
    reason: expect.stringMatching(/^Judging the page failed: /) as string,
    signs: [],
  });
});
