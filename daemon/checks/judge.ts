import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { SECOND } from '#shared/clock';
import type { Logger } from '#shared/logger.server';
import type { Judgement } from '#shared/monitor/checks/verdict';
import type { FetchOutcome } from '../waiting-room/fetch/fetch-page';
import { judgeOutcome } from '../waiting-room/judge-page';

/** What a judgement needs of a fetch. */
export type JudgedPage = Pick<FetchOutcome, 'answer' | 'errorMessage'>;

export interface Judge {
  /** Judges the result of a fetch. Never rejects. */
  judge(page: JudgedPage): Promise<Judgement>;
  close(): Promise<void>;
}

/** Judges pages in the calling thread. */
export const inlineJudge: Judge = {
  judge: (page) => Promise.resolve(judgeOutcome(page)),
  close: () => Promise.resolve(),
};

/** In characters. Judging a page of this size takes about 2 ms, and waiting rooms are rarely larger. */
const LARGE_PAGE = 32 * 1024;
/** A page of 5 MiB takes less than one second. With the fetch, a check stays within its lease. */
const TIMEOUT_MS = 10 * SECOND;
/** Enough for a page of 5 MiB; a page of 600 KB needs a tenth. */
const MEMORY_LIMIT = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };

const NOT_JUDGED: Omit<Judgement, 'reason'> = {
  verdict: 'unknown',
  strength: null,
  unknownReason: 'error',
  signs: [],
};

interface WaitingPage {
  page: JudgedPage;
  resolve: (judgement: Judgement) => void;
}

/**
 * Judges large pages in a thread of their own, smaller ones first: judging 600 KB takes 50 ms, in which the daemon could
 * send no alert of another watch. The memory and time of the thread are limited; a page that exceeds them is `unknown`.
 * `program`: the URL of the bundled `judge-thread.ts`. The thread starts with the first large page.
 */
export function createThreadedJudge({ program, logger }: { program: URL; logger: Logger }): Judge {
  const waiting: WaitingPage[] = [];
  let worker: Worker | null = null;
  let busy = false;

  function startThread(): Worker {
    const started = new Worker(program, { resourceLimits: MEMORY_LIMIT });
    started.unref();
    started.on('error', (error) => logger.warn({ err: error }, 'the judging thread failed'));
    started.on('exit', () => {
      if (worker === started) worker = null;
    });
    return started;
  }

  /** Judges one page in the thread. Rejects when the thread ends before it answers; null when it takes too long. */
  async function judgeInThread({ answer, errorMessage }: JudgedPage): Promise<Judgement | null> {
    const thread = (worker ??= startThread());
    const ending = new AbortController();
    const { signal } = ending;
    try {
      const judged = once(thread, 'message', { signal }).then(([judgement]) => judgement as Judgement);
      const ended = once(thread, 'exit', { signal }).then(() => {
        throw new Error('the judging thread has ended');
      });
      const late = sleep(TIMEOUT_MS, null, { signal });
      thread.postMessage({ answer, errorMessage } satisfies JudgedPage);
      return await Promise.race([judged, ended, late]);
    } finally {
      ending.abort();
    }
  }

  async function judgeSafely(page: JudgedPage): Promise<Judgement> {
    try {
      const judgement = await judgeInThread(page);
      if (judgement !== null) return judgement;
      await worker?.terminate();
      return { ...NOT_JUDGED, reason: `Judging the page took longer than ${TIMEOUT_MS / SECOND} seconds.` };
    } catch (error) {
      worker = null;
      if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
        return { ...NOT_JUDGED, reason: 'Judging the page took more memory than it may.' };
      // Without its thread the page is judged here: late alerts are better than none.
      return inlineJudge.judge(page);
    }
  }

  async function judgeWaiting(): Promise<void> {
    busy = true;
    for (;;) {
      waiting.sort((one, other) => one.page.answer.body.length - other.page.answer.body.length);
      const next = waiting.shift();
      if (next === undefined) break;
      next.resolve(await judgeSafely(next.page));
    }
    busy = false;
  }

  return {
    judge(page) {
      if (page.answer.body.length < LARGE_PAGE) return inlineJudge.judge(page);
      return new Promise((resolve) => {
        waiting.push({ page, resolve });
        if (!busy) void judgeWaiting();
      });
    },
    async close() {
      await worker?.terminate();
    },
  };
}
