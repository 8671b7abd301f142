import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AVAILABILITIES, VERDICTS, type PageAnswer } from '#shared/monitor/checks/verdict';
import { loadDetectionCases } from '../../fixtures/detection/load-case';
import { judgeProduct, NOTHING_EXPECTED } from '../../../daemon/judging/product/judge-product';
import { answerWith } from './judging-cases';

/** Mutated pages. Together with the generated ones about a thousand a run. */
const MUTATED = 700;
const GENERATED = 300;
/** In milliseconds of processor time, for pages of at most `LONGEST` letters, which take 5 ms on an idle machine. */
const TIME_LIMIT = 300;
const LONGEST = 30_000;

const RECORDED: readonly PageAnswer[] = loadDetectionCases()
  .flatMap(({ direct, throughScrappey }) => direct ?? throughScrappey ?? [])
  .map((answer) => ({ ...answer, body: answer.body.slice(0, LONGEST) }));

/** What breaks parsers: unclosed markup, odd entities and escapes, NULs, lone surrogates, rows of marks, long names. */
const HOSTILE = [
  ...[
    '<',
    '<!--',
    '-->',
    '</',
    '<script>',
    '</script>',
    '<style>',
    '<template>',
    '<noscript>',
    '<title>',
    '<svg>',
  ],
  ...[
    '<iframe src="/_Incapsula_Resource?wrid=',
    '<meta http-equiv="refresh" content="1;',
    '<a href="',
    '<div class="',
  ],
  ...[
    '&',
    '&#',
    '&#x110000;',
    '&#0;',
    '&amp;amp;',
    '&notanentity;',
    '%',
    '%25',
    '%2',
    '%c0%80',
    '\u0000',
    '\ud800',
    '\udfff',
  ],
  ...[
    '\ufeff',
    '\u202e',
    '\u0301\u0316',
    'ﷺ',
    '"',
    "'",
    '`',
    '{',
    '}',
    '[',
    '\\u002f',
    '\\x2f',
    'constructor',
    '__proto__',
  ],
  ...[
    'location.href="https%3a%2f%2fq.example%2f100%"',
    'You are now in line',
    'page sera a',
    'wait 5 min',
    '£4.99',
    'sold out',
    '<h1>',
    '<button disabled>',
    '<script type="application/ld+json">{"@type":"Product","offers":',
    '<div itemscope itemprop="offers">',
  ],
];

const hostile = fc.constantFrom(...HOSTILE);
const position = fc.double({ min: 0, max: 1, noNaN: true });
const at = (text: string, where: number): number => Math.floor(where * text.length);

/** A change of a page's text. */
type Mutation = (body: string) => string;

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.tuple(position, hostile, fc.integer({ min: 1, max: 200 })).map(
    ([where, piece, times]): Mutation =>
      (body) =>
        body.slice(0, at(body, where)) + piece.repeat(times) + body.slice(at(body, where)),
  ),
  fc.tuple(position, position).map(
    ([one, other]): Mutation =>
      (body) =>
        body.slice(0, Math.min(at(body, one), at(body, other))) +
        body.slice(Math.max(at(body, one), at(body, other))),
  ),
  position.map(
    (where): Mutation =>
      (body) =>
        body.slice(0, at(body, where)),
  ),
  fc
    .tuple(position, position, fc.integer({ min: 2, max: 40 }))
    .map(([from, length, times]): Mutation => (body) => {
      const part = body.slice(at(body, from), at(body, from) + Math.ceil(length * 200));
      return body.slice(0, at(body, from)) + part.repeat(times) + body.slice(at(body, from));
    }),
  fc.tuple(fc.constantFrom(...RECORDED), position).map(
    ([{ body: other }, where]): Mutation =>
      (body) =>
        body.slice(0, at(body, where)) + other.slice(at(other, where)),
  ),
  fc
    .tuple(fc.constantFrom('div', 'b', 'svg', 'table', 'p', 'article'), fc.integer({ min: 100, max: 2000 }))
    .map(
      ([name, times]): Mutation =>
        (body) =>
          `<${name}>`.repeat(times) + body,
    ),
  fc.constant<Mutation>((body) => body.toUpperCase()),
  fc.constant<Mutation>((body) => body.replaceAll('"', '')),
  fc.constant<Mutation>((body) => body.replaceAll('>', '')),
);

const headers = fc.dictionary(
  fc.oneof(
    fc.constantFrom('set-cookie', 'refresh', 'location', 'content-type', 'retry-after', 'cf-mitigated'),
    fc.constantFrom('constructor', '__proto__', 'toString', 'x-queueit-redirect'),
  ),
  fc.oneof(hostile, fc.string({ unit: 'binary', maxLength: 60 }), fc.array(hostile, { maxLength: 4 })),
  { maxKeys: 4 },
);

const mutated = fc
  .record({
    answer: fc.constantFrom(...RECORDED),
    mutations: fc.array(mutation, { minLength: 1, maxLength: 4 }),
    more: headers,
    status: fc.constantFrom(200, 202, 301, 403, 404, 429, 503),
  })
  .map(({ answer, mutations, more, status }): PageAnswer => ({
    ...answer,
    status,
    headers: { ...answer.headers, ...more },
    body: mutations.reduce((body, change) => change(body).slice(0, LONGEST), answer.body),
  }));

const generated = fc
  .record({
    pieces: fc.array(
      fc.oneof(hostile, fc.string({ unit: 'binary', maxLength: 30 }), fc.json({ maxDepth: 3 })),
      {
        maxLength: 60,
      },
    ),
    more: headers,
    finalUrl: fc.oneof(fc.webUrl(), hostile, fc.string({ unit: 'binary', maxLength: 40 })),
  })
  .map(({ pieces, more, finalUrl }) =>
    answerWith(pieces.join(''), { headers: more, finalUrl } as Partial<PageAnswer>),
  );

function timeJudgement(answer: PageAnswer) {
  const before = process.cpuUsage();
  const judgement = judgeProduct(answer, NOTHING_EXPECTED, new Date(0));
  const { user, system } = process.cpuUsage(before);
  return { judgement, ms: (user + system) / 1000 };
}

function expectVerdict(answer: PageAnswer): void {
  const { judgement, ms } = timeJudgement(answer);
  expect(VERDICTS).toContain(judgement.verdict);
  expect(judgement.reason).not.toBe('');
  expect(AVAILABILITIES).toContain(judgement.product?.availability);
  expect(judgement.product?.reason).not.toBe('');
  // The time of a page judged while the process collects garbage or compiles contains that work: it is judged again.
  expect(ms < TIME_LIMIT ? ms : timeJudgement(answer).ms).toBeLessThan(TIME_LIMIT);
}

/** Another one each run. To repeat a run, write its seed here. */
const seed = Date.now() & 0x7fffffff;
console.info(`judge-fuzz: seed ${seed}`);

for (const [name, pages, numRuns] of [
  ['mutated recorded pages', mutated, MUTATED],
  ['generated pages', generated, GENERATED],
] as const) {
  // On failure fast-check prints the seed and the smallest page.
  test(`${name} get a verdict in time (seed ${seed})`, () => {
    fc.assert(fc.property(pages, expectVerdict), { seed, numRuns, endOnFailure: true });
  });
}
