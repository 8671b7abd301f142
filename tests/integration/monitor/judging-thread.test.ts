import { pino } from 'pino';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createThreadedJudge, inlineJudge, type Judge, type JudgedPage } from '../../../daemon/checks/judge';
import { ROOM_PAGE, shopPage } from '../../bench/pages';
import { bundlePrograms, type BundledPrograms } from '../bundled-programs';

const PROGRAM = 'daemon/checks/judge-thread.ts';
const logger = pino({ level: 'silent' });

let programs: BundledPrograms;
beforeAll(async () => {
  programs = await bundlePrograms([PROGRAM]);
});
afterAll(() => programs.remove());

function pageOf(body: string): JudgedPage {
  const url = 'https://shop.example/';
  return {
    errorMessage: null,
    answer: {
      requestUrl: url,
      finalUrl: url,
      status: 200,
      headers: { 'set-cookie': ['visid_incap_1=a'] },
      body,
      decodable: true,
      hops: [],
      doubted: false,
    },
  };
}

async function withJudge(program: URL, test: (judge: Judge) => Promise<void>): Promise<void> {
  const judge = createThreadedJudge({ program, logger });
  try {
    await test(judge);
  } finally {
    await judge.close();
  }
}
const threadProgram = (): URL => pathToFileURL(programs.fileOf(PROGRAM));

describe('the judging thread', () => {
  it('judges as the daemon does, and a smaller page before a larger one', async () => {
    await withJudge(threadProgram(), async ({ judge }) => {
      const order: string[] = [];
      const pages = { first: 300, large: 500, small: 60 };
      const judgements = Object.entries(pages).map(async ([name, kilobytes]) => {
        const page = pageOf(shopPage(kilobytes));
        expect(await judge(page)).toEqual(await inlineJudge.judge(page));
        order.push(name);
      });
      // Small pages do not wait for the thread.
      expect(await judge(pageOf(ROOM_PAGE))).toMatchObject({ verdict: 'waiting_room', strength: 'strong' });
      expect(order).toEqual([]);
      await Promise.all(judgements);
      expect(order).toEqual(['first', 'small', 'large']);
    });
  });

  it('gives up a page that takes too much memory, and judges the next one', async () => {
    await withJudge(threadProgram(), async ({ judge }) => {
      // As large as a page may be: 1.7 million elements.
      expect(await judge(pageOf('<p>'.repeat(1_700_000)))).toEqual({
        verdict: 'unknown',
        strength: null,
        unknownReason: 'error',
        reason: 'Judging the page took more memory than it may.',
        signs: [],
      });
      expect(await judge(pageOf(shopPage(60)))).toMatchObject({ verdict: 'open' });
    });
  });

  it('is not needed: without it the daemon judges the page itself', async () => {
    await withJudge(new URL('file:///there/is/no/such/program.js'), async ({ judge }) => {
      expect(await judge(pageOf(shopPage(60)))).toMatchObject({ verdict: 'open' });
    });
  });
});
