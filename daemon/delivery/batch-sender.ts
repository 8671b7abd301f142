import { SECOND } from '#shared/clock';
import type { Logger } from '#shared/logger.server';
import { createBacklog, type Chosen, type Waiting } from './backlog';
import type { AttemptEnd, DestinationLimiter } from './destination-limiter';

/** Sends the rows of one channel in batches. */
export interface BatchSender {
  /** Begins everything that is due and may begin. Joins a run that is under way. What must wait begins later. */
  sendDue(): Promise<void>;
  /** Claims no more rows. Resolves when every claimed row is settled. */
  stop(): Promise<void>;
}

/** A due row, in the lane that sends it. */
export type DueRow<Lane extends string> = Waiting & { lane: Lane };

export interface DuePage<Row, Lane extends string> {
  rows: DueRow<Lane>[];
  /** The last row of the page; null when the page is empty. */
  last: Row | null;
  /** Whether another page may follow. */
  isFull: boolean;
}

interface BatchSenderOptions<Row extends { id: string }, Attempt, Lane extends string> {
  /** Lists a page of due rows: the first one, or the one after the row `after`. */
  list(after: Row | null): Promise<DuePage<Row, Lane>>;
  /** Claims those of these rows that are still due and free. */
  claim(ids: readonly string[]): Promise<Row[]>;
  /** Prepares the attempts of claimed rows together. An attempt that may no longer begin gives its row back: null. */
  prepare(rows: readonly Row[]): Promise<(row: Row) => Promise<Attempt | null>>;
  /** What an attempt says about its destination. */
  endOf(attempt: Attempt): AttemptEnd;
  /** Writes the outcomes of attempts, and does not give up while the database is unavailable. */
  settle(attempts: readonly Attempt[]): Promise<void>;
  /** The limits of each lane, the most urgent one first. No lane takes slots of another. */
  lanes: Record<Lane, DestinationLimiter>;
  /** Rows that are claimed and not settled, at most: after a crash so many may be sent again. */
  batch: number;
  logger: Logger;
}

/** Attempts that ended wait this long for others, and are settled together. */
const SETTLE_WITHIN_MS = SECOND / 10;
/** At most so many are settled in one transaction, which blocks the event loop for some milliseconds. */
const SETTLE_AT_MOST = 50;
/** At most so many are claimed in one transaction. */
const CLAIM_AT_MOST = 50;
/** After an attempt has ended, others that end within this time free their slots as well. */
const CLAIM_WITHIN_MS = SECOND / 50;
/** How often rows are tried whose destinations are paused or silent. */
const RETRY_WAITING_MS = SECOND / 10;
/** How often all due rows are listed; in between, only those that became due since. */
const LIST_ALL_EVERY_MS = SECOND / 2;

/**
 * Lists the due rows without claiming them, and claims what may begin at once. So the rows of a silent destination
 * wait in the database, use no slots, and any process can send them. If a step fails or the process dies, the rows stay
 * there and the sweep continues.
 */
export function createBatchSender<Row extends { id: string }, Attempt, Lane extends string>({
  list,
  claim,
  prepare,
  endOf,
  settle,
  lanes,
  batch,
  logger,
}: BatchSenderOptions<Row, Attempt, Lane>): BatchSender {
  const names = Object.keys(lanes) as Lane[];
  const backlogs = names.map((lane) => ({ lane, backlog: createBacklog(lanes[lane]) }));
  let claimed = 0;
  let stopped = false;
  let run: Promise<void> | null = null;
  let again = false;
  let pumping: Promise<void> | null = null;
  let pumpAgain = false;
  let pumpTimer: { timer: NodeJS.Timeout; at: number } | null = null;
  let lastSeen: Row | null = null;
  let listedAllAt = Number.NEGATIVE_INFINITY;
  let ended: Attempt[] = [];
  let settleTimer: NodeJS.Timeout | null = null;
  let wake: (() => void) | null = null;

  function release(count: number): void {
    claimed -= count;
    wake?.();
    pumpWithin(CLAIM_WITHIN_MS);
  }

  function settleEnded(): void {
    if (settleTimer !== null) clearTimeout(settleTimer);
    settleTimer = null;
    while (ended.length > 0) {
      const attempts = ended.slice(0, SETTLE_AT_MOST);
      ended = ended.slice(SETTLE_AT_MOST);
      settle(attempts)
        .catch((error: unknown) =>
          logger.error({ err: error }, 'could not settle deliveries; their claims expire'),
        )
        .finally(() => release(attempts.length));
    }
  }

  function addEnded(attempt: Attempt): void {
    ended.push(attempt);
    if (ended.length >= SETTLE_AT_MOST) settleEnded();
    else settleTimer ??= setTimeout(settleEnded, SETTLE_WITHIN_MS);
  }

  function startAttempt(
    row: Row,
    { attempt: slot }: Chosen,
    attempt: (row: Row) => Promise<Attempt | null>,
  ): void {
    attempt(row)
      .then(
        (result) => {
          slot?.end(result === null ? 'unused' : endOf(result));
          if (result === null) release(1);
          else addEnded(result);
        },
        (error: unknown) => {
          slot?.end('unused');
          logger.error({ err: error }, 'could not send a delivery; its claim expires');
          release(1);
        },
      )
      .finally(() => pumpWithin(CLAIM_WITHIN_MS));
  }

  /** Claims the chosen rows and starts their attempts. */
  async function begin(chosen: readonly Chosen[]): Promise<void> {
    let rows: Map<string, Row>;
    let attempt: (row: Row) => Promise<Attempt | null>;
    let count = 0;
    try {
      const own = await claim(chosen.map(({ id }) => id));
      count = own.length;
      claimed += count;
      attempt = await prepare(own);
      rows = new Map(own.map((row) => [row.id, row]));
    } catch (error) {
      for (const { attempt: slot } of chosen) slot?.end('unused');
      release(count);
      throw error;
    }
    for (const one of chosen) {
      const row = rows.get(one.id);
      if (row === undefined) one.attempt?.end('unused');
      else startAttempt(row, one, attempt);
    }
  }

  function take(): Chosen[] {
    const chosen: Chosen[] = [];
    for (const { backlog } of backlogs) {
      const most = Math.min(CLAIM_AT_MOST, batch - claimed) - chosen.length;
      if (most > 0) chosen.push(...backlog.take(most));
    }
    return chosen;
  }

  async function pumpAll(): Promise<void> {
    do {
      pumpAgain = false;
      for (let chosen = stopped ? [] : take(); chosen.length > 0; chosen = stopped ? [] : take())
        await begin(chosen);
    } while (pumpAgain && !stopped);
  }

  /** Begins what may begin of the listed rows. */
  function pump(): Promise<void> {
    pumpAgain = true;
    pumping ??= pumpAll().finally(() => {
      pumping = null;
      pumpWithin(RETRY_WAITING_MS);
    });
    return pumping;
  }

  function pumpWithin(ms: number): void {
    if (stopped || backlogs.every(({ backlog }) => backlog.size() === 0)) return;
    const at = performance.now() + ms;
    if (pumpTimer !== null) {
      if (pumpTimer.at <= at) return;
      clearTimeout(pumpTimer.timer);
    }
    const timer = setTimeout(() => {
      pumpTimer = null;
      pump().catch(warn);
    }, ms);
    pumpTimer = { timer, at };
  }

  function warn(error: unknown): void {
    logger.warn({ err: error }, 'could not claim deliveries; the sweep retries');
  }

  async function listAndBegin(): Promise<void> {
    let after = lastSeen;
    if (performance.now() - listedAllAt >= LIST_ALL_EVERY_MS) {
      listedAllAt = performance.now();
      after = null;
      for (const { backlog } of backlogs) backlog.clear();
    }
    for (let isFull = true; isFull && !stopped;) {
      const page = await list(after);
      ({ isFull } = page);
      after = page.last ?? after;
      lastSeen = after;
      for (const { lane, backlog } of backlogs) backlog.add(page.rows.filter((row) => row.lane === lane));
      await pump();
    }
  }

  /** Repeats when `sendDue` was called meanwhile: its rows may have become due after the last page. */
  async function sendRepeatedly(): Promise<void> {
    do {
      again = false;
      await listAndBegin();
    } while (again && !stopped);
  }

  return {
    sendDue() {
      again = true;
      if (stopped) return Promise.resolve();
      run ??= sendRepeatedly()
        .catch(warn)
        .finally(() => (run = null));
      return run;
    },
    async stop() {
      stopped = true;
      if (pumpTimer !== null) clearTimeout(pumpTimer.timer);
      await run;
      await pumping?.catch(warn);
      while (claimed > 0)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    },
  };
}
