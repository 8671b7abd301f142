import { MINUTE, SECOND } from '#shared/clock';
import type { Logger } from '#shared/logger.server';
import type { Judgement } from '#shared/monitor/checks/verdict';
import { judgeOutcome, type JudgedPage } from '../judging/judge-outcome';
import { createJudgingLane, notJudged, type JudgingLane } from './judging-lane';

export interface JudgingOptions {
  /** Limit for the wait and the judgement together. Default: one minute. */
  limitMs?: number;
  /** Called when the judgement has become slow. */
  onSlow?: () => void;
}

export interface Judge {
  /** Judges the result of a fetch. Never rejects: a failed judgement is an `unknown` verdict with its reason. */
  judge(page: JudgedPage, options?: JudgingOptions): Promise<Judgement>;
  close(): Promise<void>;
}

/** Judges pages in the calling thread. */
export const inlineJudge: Judge = {
  judge: (page) => Promise.resolve(judgeOutcome(page)),
  close: () => Promise.resolve(),
};

/** A longer judgement is slow: an ordinary page takes a few milliseconds, a page of 600 KB about 70. */
const SLOW_MS = SECOND / 4;
/** The limits of one judgement: an ordinary page takes a thousandth of the shortest, the largest page half of the longest. */
const SHORTEST_LIMIT_MS = 5 * SECOND;
const LIMIT_PER_CHARACTER_MS = SECOND / (640 * 1024);
const LONGEST_LIMIT_MS = 10 * SECOND;
/** The second thread starts only when a page is slow, so that a single-core machine rarely runs both. */
const LANES = 2;
/**
 * Pages up to this many characters are judged in the calling thread. A waiting room has about a thousand, and the round
 * trip to a thread takes four times as long as its judgement. Any page of this size is judged within milliseconds
 * (`judge-load.test.ts`).
 */
export const SMALL_PAGE = 4_096;
/** How many slow pages are remembered: far more than there are watches. */
const MAX_REMEMBERED = 10_000;

interface WaitingPage {
  page: JudgedPage;
  onSlow: () => void;
  /** On the monotonic clock of `performance`. */
  giveUpAt: number;
  finish: (judgement: Judgement) => void;
}

interface Place {
  lane: JudgingLane;
  /** The page in this lane. */
  current: WaitingPage | null;
  /** Whether it has taken longer than `slowMs`. */
  isSlow: boolean;
}

/**
 * Judges pages in a thread, because a slow page would block the checks and alerts of all watches. Waiting-room pages go
 * before product pages, and smaller pages first. While a page is slow, a second thread judges the others; aborted pages
 * never occupy both. `program`: the URL of the bundled `judge-thread.ts`. A thread starts with its first page.
 */
export function createThreadedJudge({
  program,
  logger,
  shortestLimitMs = SHORTEST_LIMIT_MS,
  slowMs = SLOW_MS,
}: {
  program: URL;
  logger: Logger;
  shortestLimitMs?: number;
  slowMs?: number;
}): Judge {
  const waiting: WaitingPage[] = [];
  const places: Place[] = [];
  /** Addresses whose last page exceeded a limit. */
  const costly = new Set<string>();

  const isCostly = ({ page }: WaitingPage): boolean => costly.has(page.answer.requestUrl);

  /** A free lane, or null. */
  function findPlace(): Place | null {
    const free = places.find(({ current }) => current === null);
    if (free !== undefined) return free;
    if (places.length === LANES || !places.every(({ isSlow }) => isSlow)) return null;
    const place = { lane: createJudgingLane({ program, logger }), current: null, isSlow: false };
    places.push(place);
    return place;
  }

  function judgeNext(): void {
    if (waiting.length === 0) return;
    const place = findPlace();
    if (place === null) return;
    const occupied = places.some(({ current }) => current !== null && isCostly(current));
    const next = waiting
      .filter((entry) => !occupied || !isCostly(entry))
      .sort(
        (one, other) => Number(isProduct(one)) - Number(isProduct(other)) || sizeOf(one) - sizeOf(other),
      )[0];
    if (next === undefined) return;
    waiting.splice(waiting.indexOf(next), 1);
    void judgeAt(place, next);
  }

  async function judgeAt(place: Place, entry: WaitingPage): Promise<void> {
    place.current = entry;
    const slow = setTimeout(() => {
      place.isSlow = true;
      entry.onSlow();
      judgeNext();
    }, slowMs);
    const size = sizeOf(entry);
    const limitMs = Math.min(
      Math.max(LONGEST_LIMIT_MS, shortestLimitMs),
      shortestLimitMs + size * LIMIT_PER_CHARACTER_MS,
      Math.max(0, entry.giveUpAt - performance.now()),
    );
    const startedAt = performance.now();
    const judgement = await place.lane.judge(entry.page, limitMs);
    clearTimeout(slow);
    place.current = null;
    place.isSlow = false;
    if (place !== places[0] && waiting.length === 0) void place.lane.close();
    const { requestUrl } = entry.page.answer;
    if (performance.now() - startedAt < shortestLimitMs) costly.delete(requestUrl);
    else if (costly.size < MAX_REMEMBERED) costly.add(requestUrl);
    entry.finish(judgement);
    judgeNext();
  }

  return {
    judge: (page, { limitMs = MINUTE, onSlow = () => undefined } = {}) =>
      new Promise((resolve) => {
        const entry: WaitingPage = {
          page,
          onSlow,
          giveUpAt: performance.now() + limitMs,
          finish(judgement) {
            clearTimeout(timer);
            resolve(judgement);
          },
        };
        const timer = setTimeout(() => {
          const at = waiting.indexOf(entry);
          if (at === -1) return;
          waiting.splice(at, 1);
          resolve(notJudged('The page was not judged in time, because other pages took too long.'));
        }, limitMs);
        waiting.push(entry);
        judgeNext();
      }),
    async close() {
      for (const { finish } of waiting.splice(0)) finish(notJudged('The daemon is stopping.'));
      await Promise.all(places.map(({ lane }) => lane.close()));
    },
  };
}

const isProduct = ({ page }: WaitingPage): boolean => page.product !== undefined;

function sizeOf({ page }: WaitingPage): number {
  return page.answer.body.length;
}

/** Judges small pages in the calling thread, and all others as `createThreadedJudge` does. */
export function createJudge(options: Parameters<typeof createThreadedJudge>[0]): Judge {
  const threaded = createThreadedJudge(options);
  return {
    judge: (page, limits) =>
      (page.answer.body.length <= SMALL_PAGE ? inlineJudge : threaded).judge(page, limits),
    close: () => threaded.close(),
  };
}
