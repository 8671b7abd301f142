import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createJudge,
  createThreadedJudge,
  inlineJudge,
  SMALL_PAGE,
  type Judge,
} from '../../../daemon/checks/judge';
import type { JudgedPage } from '../../../daemon/judging/judge-outcome';
import { ROOM_PAGE, shopPage } from '../../bench/pages';
import { bundlePrograms, type BundledPrograms } from '../bundled-programs';

// The flag of the tests' workers (vitest.config.ts) comes before the limits that the product sets for its threads.
setFlagsFromString('--max-semi-space-size=0');

const PROGRAM = 'daemon/checks/judge-thread.ts';
const logger = pino({ level: 'silent' });

/** Enough for a thread to start on a busy machine. The page waits and computes nothing. */
const HANG_LIMIT_MS = 6_000;

/** Does what a page says, instead of judging it. */
const OBEDIENT_PROGRAM = `
import { parentPort } from 'node:worker_threads';
parentPort.on('message', ({ answer }) => {
  const order = answer.body.trim();
  if (order === 'hang') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  if (order === 'compute') /^(a+)+$/.test('a'.repeat(40) + 'b');
  if (order === 'throw') throw new Error('a fault of the test');
  if (order === 'exit') process.exit(0);
  parentPort.postMessage({ verdict: 'open', strength: null, unknownReason: null, reason: order, signs: [] });
});
parentPort.postMessage('ready');
`;

let programs: BundledPrograms;
let folder: string;
let obedient: URL;
beforeAll(async () => {
  programs = await bundlePrograms([PROGRAM]);
  folder = mkdtempSync(join(tmpdir(), 'packwatch-judge-'));
  const file = join(folder, 'obedient.mjs');
  writeFileSync(file, OBEDIENT_PROGRAM);
  obedient = pathToFileURL(file);
});
afterAll(() => {
  programs.remove();
  rmSync(folder, { recursive: true, force: true });
});

function pageOf(body: string, url = 'https://shop.example/'): JudgedPage {
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
      unverified: false,
    },
  };
}

async function withJudge(
  program: URL,
  limits: { shortestLimitMs?: number; slowMs?: number },
  test: (judge: Judge) => Promise<void>,
): Promise<void> {
  const judge = createThreadedJudge({ program, logger, ...limits });
  try {
    await test(judge);
  } finally {
    await judge.close();
  }
}
const threadProgram = (): URL => pathToFileURL(programs.fileOf(PROGRAM));

describe('the judging thread', () => {
  it('judges every page as the daemon does, and a smaller one before a larger one', async () => {
    await withJudge(threadProgram(), { shortestLimitMs: 60_000, slowMs: 60_000 }, async ({ judge }) => {
      const order: string[] = [];
      const pages = { first: shopPage(300), large: shopPage(400), small: shopPage(60), room: ROOM_PAGE };
      await Promise.all(
        Object.entries(pages).map(async ([name, body]) => {
          expect(await judge(pageOf(body))).toEqual(await inlineJudge.judge(pageOf(body)));
          order.push(name);
        }),
      );
      expect(order).toEqual(['first', 'room', 'small', 'large']);
    });
  });

  it('gives up a page that takes too much memory, and judges the next one', async () => {
    await withJudge(threadProgram(), { shortestLimitMs: 60_000 }, async ({ judge }) => {
      // As large as a page may be: 1.7 million elements.
      expect(await judge(pageOf('<p>'.repeat(1_700_000)))).toEqual({
        verdict: 'unknown',
        strength: null,
        unknownReason: 'error',
        reason: 'Judging the page needed too much memory.',
        signs: [],
      });
      expect(await judge(pageOf(shopPage(60)))).toMatchObject({ verdict: 'open' });
    });
  });
});

describe('a page that hangs its thread', () => {
  it('is unknown after its limit, and holds up no other page', async () => {
    await withJudge(obedient, { shortestLimitMs: HANG_LIMIT_MS, slowMs: 50 }, async ({ judge }) => {
      let ended = false;
      let slow = 0;
      const hanging = judge(pageOf('hang'), { onSlow: () => (slow += 1) }).finally(() => (ended = true));
      const others = ['one', 'two', 'three'].map((name) => judge(pageOf(name)));
      expect((await Promise.all(others)).map(({ reason }) => reason)).toEqual(['one', 'two', 'three']);
      expect(ended).toBe(false);
      expect(await hanging).toMatchObject({
        verdict: 'unknown',
        unknownReason: 'error',
        reason: 'Judging the page took longer than 6 seconds.',
      });
      expect(slow).toBe(1);
    });
  });

  it('is ended inside a regular expression', async () => {
    await withJudge(obedient, { shortestLimitMs: 1_000 }, async ({ judge }) => {
      expect((await judge(pageOf('compute'))).reason).toBe('Judging the page took longer than 1 second.');
      expect((await judge(pageOf('open'))).reason).toBe('open');
    });
  });

  it('leaves one thread to the others when it comes again, even beside a second such page', async () => {
    await withJudge(obedient, { shortestLimitMs: HANG_LIMIT_MS, slowMs: 50 }, async ({ judge }) => {
      const hang = () => ['a', 'b'].map((host) => judge(pageOf('hang', `https://${host}.example/`)));
      await Promise.all(hang());
      let ended = false;
      const hanging = Promise.race(hang()).finally(() => (ended = true));
      expect(await judge(pageOf('open'))).toMatchObject({ reason: 'open' });
      expect(ended).toBe(false);
      await hanging;
    });
  });

  it('does not keep a page waiting for longer than its check may take', async () => {
    await withJudge(obedient, { shortestLimitMs: 600, slowMs: 60_000 }, async ({ judge }) => {
      const hanging = judge(pageOf('hang'));
      expect(await judge(pageOf('late'), { limitMs: 30 })).toMatchObject({
        verdict: 'unknown',
        reason: 'The page was not judged in time, because other pages took too long.',
      });
      expect((await hanging).verdict).toBe('unknown');
    });
  });
});

describe('a fault of the thread', () => {
  it('is an unknown verdict that names it, and the next page is judged', async () => {
    await withJudge(obedient, {}, async ({ judge }) => {
      const unclonable = pageOf('a');
      unclonable.answer.headers = { constructor: [Object as unknown as string] };
      const threads = () => readdirSync('/proc/self/task').length;
      let before = 0;
      for (let round = 0; round < 4; round += 1) {
        const reasons: string[] = [];
        for (const page of [pageOf('throw'), pageOf('exit'), unclonable, pageOf('fine')])
          reasons.push((await judge(page)).reason);
        expect(reasons).toEqual([
          'The page could not be judged: a fault of the test.',
          'The page could not be judged: the judging thread has ended.',
          expect.stringMatching(/^The page could not be judged: .* could not be cloned\.+$/),
          'fine',
        ]);
        if (round === 0) before = threads();
      }
      expect(threads()).toBeLessThanOrEqual(before);
    });
  });

  it('is one, too, when it cannot start', async () => {
    await withJudge(new URL('file:///there/is/no/such/program.js'), {}, async ({ judge }) => {
      expect(await judge(pageOf(shopPage(60)))).toMatchObject({
        verdict: 'unknown',
        reason: expect.stringMatching(/^The page could not be judged: Cannot find module/) as string,
      });
    });
  });
});

it('a small page is judged at once, although both threads hang, and a larger one in a thread', async () => {
  const judge = createJudge({ program: obedient, logger, shortestLimitMs: 1_000, slowMs: 50 });
  try {
    const large = (order: string): string => order.padEnd(SMALL_PAGE + 1);
    const hanging = ['a', 'b'].map((host) => judge.judge(pageOf(large('hang'), `https://${host}.example/`)));
    const room = pageOf(ROOM_PAGE.padEnd(SMALL_PAGE));
    expect(await judge.judge(room)).toEqual(await inlineJudge.judge(room));
    await Promise.all(hanging);
    expect((await judge.judge(pageOf(large('open')))).reason).toBe('open');
  } finally {
    await judge.close();
  }
});
