import { SECOND } from '../clock';
import { levelOf } from '../database/database-errors';
import type { Logger } from '../logger.server';
import type { OutboxRow } from './define-outbox';
import type { Attempt, OutboxSender } from './outbox-sender';
import type { Outcome } from './outcome';
import { createBacklog, type Chosen, type Waiting } from './backlog';
import type { AttemptEnd, DestinationLimiter, LimitedAttempt } from './destination-limiter';
import type { Pacer } from './pacer';

/** Sends the rows of one outbox, or of one channel of it. */
export interface Sender<Row> {
  /** Called after a commit: adds a job for every row, sends the claimed rows at once, and starts due rows. */
  dispatch(rows: readonly Row[]): void;
  /** Starts all due rows that the limits allow; the others start later. Joins a run that is in progress. */
  sendDue(): Promise<void>;
  /** Whether a row is being sent. */
  isSending(): boolean;
  /** Resolves when all due rows were sent. */
  idle(): Promise<void>;
  /** Starts nothing more and releases the claimed rows that wait. Resolves when every claimed row is settled. */
  stop(): Promise<void>;
}

/** A due row, in the lane that sends it. */
export type DueRow<Lane extends string> = Waiting & { lane: Lane };

interface SenderOptions<Row extends OutboxRow, Ended extends Outcome, Prepared, Lane extends string> {
  outbox: OutboxSender<Row, Ended, Prepared>;
  /** Limits the rows, such as to those of one channel. */
  only?: object;
  /** The limits of each lane, the most urgent one first. No lane takes slots of another. */
  lanes: Record<Lane, DestinationLimiter>;
  /** Returns the destinations of due rows. */
  place(rows: readonly NoInfer<Row>[]): readonly DueRow<Lane>[] | Promise<readonly DueRow<Lane>[]>;
  /** The effect of an attempt on its destination's limits. */
  endOf?(attempt: Attempt<Row, Ended>): AttemptEnd;
  /** The most rows that are claimed and not settled: after a crash, these may be sent twice. */
  batch: number;
  /** How long outcomes are collected before they are settled together (default: settled one by one, at once). */
  settleWithinMs?: number;
  /** Adds the rows' jobs. Rejects while Redis is down. Default: no jobs. */
  enqueue?(rows: readonly NoInfer<Row>[]): Promise<void>;
  /** Leaves turns of the event loop to more urgent work; default: nothing is more urgent. */
  pacer?: Pacer;
  /** Whether attempts go before other paced work. */
  isFirst?: boolean;
  logger: Logger;
}

/** The most rows per settling transaction, which blocks the event loop for some milliseconds. */
const SETTLE_AT_MOST = 50;
/** The most rows per claiming transaction. */
const CLAIM_AT_MOST = 50;
/** The size of a page of due rows. Listing it blocks the event loop for about a millisecond. */
const ROWS_PER_PAGE = 250;
/** If outcomes are collected, slots that become free within this time are filled together. */
const CLAIM_WITHIN_MS = SECOND / 50;
/** How often rows of paused or silent destinations are tried. */
const RETRY_WAITING_MS = SECOND / 10;
/** How often all due rows are listed; in between, only those that became due since. */
const LIST_ALL_EVERY_MS = SECOND / 2;
/** undici writes a request one turn of the event loop after it is made: deferrable work starts after that. */
export const SENT_AFTER_MS = 5;

/** Places rows that have no limit per destination, each in the lane that `laneOf` names. */
export const inLane =
  <Lane extends string, Row extends OutboxRow>(laneOf: (row: Row) => Lane) =>
  (rows: readonly Row[]): DueRow<Lane>[] =>
    rows.map((row) => ({ id: row.id, lane: laneOf(row), destination: '', isRetry: row.attempts > 0 }));

/** The effect of an outcome on its destination, unless the channel decides differently. */
export function attemptEndOf({ outcome }: { outcome: Outcome }): AttemptEnd {
  if (outcome.kind === 'ok') return 'answered';
  if (outcome.kind === 'retry') return outcome.status == null ? 'silent' : 'busy';
  // Without a status, nothing was sent.
  return 'status' in outcome && outcome.status != null ? 'answered' : 'unused';
}

/**
 * Lists the due rows without claiming them, and claims only those that can start at once. Rows of a silent destination
 * wait in the database, use no slots, and any process can send them. Rows that the process claimed on writing go first.
 * If a step fails or the process dies, the rows stay in the database, and a job or the sweep continues.
 */
export function createSender<Row extends OutboxRow, Ended extends Outcome, Prepared, Lane extends string>({
  outbox,
  only = {},
  lanes,
  place,
  endOf = attemptEndOf,
  batch,
  settleWithinMs = 0,
  enqueue,
  pacer,
  isFirst = false,
  logger,
}: SenderOptions<Row, Ended, Prepared, Lane>): Sender<Row> {
  const names = Object.keys(lanes) as Lane[];
  const backlogs = names.map((lane) => ({ lane, backlog: createBacklog(lanes[lane]) }));
  const [first] = Object.values<DestinationLimiter>(lanes);
  /** Claimed rows that wait for a slot. */
  const waiting: Row[] = [];
  /** The rows that this process has claimed and not settled: it does not resend them when their claims expire. */
  const own = new Set<string>();
  const claimWithinMs = settleWithinMs === 0 ? 0 : CLAIM_WITHIN_MS;
  let stopped = false;
  let run: Promise<void> | null = null;
  let again = false;
  let pumping: Promise<void> | null = null;
  let pumpAgain = false;
  let pumpTimer: { timer: NodeJS.Timeout; at: number } | null = null;
  let lastSeen: Row | null = null;
  let listedAllAt = Number.NEGATIVE_INFINITY;
  const ended: Attempt<Row, Ended>[] = [];
  let settleTimer: NodeJS.Timeout | null = null;
  const wake: (() => void)[] = [];
  const paced = <T>(work: () => Promise<T>, goesFirst: boolean): Promise<T> =>
    pacer === undefined ? work() : pacer.run(work, { first: goesFirst });

  const isBacklogged = (): boolean => backlogs.some(({ backlog }) => backlog.size() > 0);

  function wakeWaiting(): void {
    for (const resolve of wake.splice(0)) resolve();
  }

  function release(rows: readonly OutboxRow[]): void {
    for (const { id } of rows) own.delete(id);
    wakeWaiting();
    pumpWithin(claimWithinMs);
  }

  /** Adds the jobs of rows. */
  function enqueueSoon(rows: readonly Row[]): void {
    if (rows.length === 0 || enqueue === undefined) return;
    setTimeout(() => {
      enqueue(rows).catch(() =>
        logger.debug({ rows: rows.length }, 'Redis is down: the sweep sends these rows'),
      );
    }, SENT_AFTER_MS);
  }

  async function settle(attempts: readonly Attempt<Row, Ended>[]): Promise<void> {
    try {
      const again = await outbox.settle(attempts);
      enqueueSoon(again);
      if (again.length > 0) void sendDue();
    } catch (error) {
      logger[levelOf(error)]({ err: error }, 'could not settle deliveries; their claims expire');
    } finally {
      release(attempts.map(({ row }) => row));
    }
  }

  function settleEnded(): void {
    if (settleTimer !== null) clearTimeout(settleTimer);
    settleTimer = null;
    while (ended.length > 0) void settle(ended.splice(0, SETTLE_AT_MOST));
  }

  function addEnded(attempt: Attempt<Row, Ended>): void {
    ended.push(attempt);
    if (settleWithinMs === 0 || ended.length >= SETTLE_AT_MOST) settleEnded();
    else settleTimer ??= setTimeout(settleEnded, settleWithinMs);
  }

  /** Sends a claimed row. */
  function start(row: Row, slot: LimitedAttempt | null, prepared: Prepared): void {
    paced(() => outbox.begin(row, prepared), isFirst).then(
      (attempt) => {
        slot?.end(attempt === null ? 'unused' : endOf(attempt));
        if (attempt === null) release([row]);
        else addEnded(attempt);
        startWaiting();
        pumpWithin(claimWithinMs);
      },
      (error: unknown) => {
        slot?.end('unused');
        logger[levelOf(error)]({ err: error, id: row.id }, 'could not send a delivery; its claim expires');
        release([row]);
        startWaiting();
      },
    );
  }

  /** Sends the waiting claimed rows while slots are free; releases them after `stop`. */
  function startWaiting(): void {
    while (waiting.length > 0) {
      const slot = stopped ? null : (first?.begin('') ?? null);
      if (slot === null && !stopped) return;
      start(waiting.shift() as Row, slot, undefined as Prepared);
    }
  }

  /** Claims the chosen rows and starts their attempts. */
  async function begin(chosen: readonly Chosen[]): Promise<void> {
    let claimed: Row[] = [];
    let prepared = undefined as Prepared;
    try {
      const ids = chosen.map(({ id }) => id).filter((id) => !own.has(id));
      claimed = await paced(() => outbox.claim(ids), true);
      for (const { id } of claimed) own.add(id);
      if (outbox.prepare !== undefined) prepared = await outbox.prepare(claimed);
    } catch (error) {
      for (const { attempt: slot } of chosen) slot?.end('unused');
      release(claimed);
      throw error;
    }
    const rows = new Map(claimed.map((row) => [row.id, row]));
    for (const one of chosen) {
      const row = rows.get(one.id);
      if (row === undefined) one.attempt?.end('unused');
      else start(row, one.attempt, prepared);
    }
  }

  function take(): Chosen[] {
    const chosen: Chosen[] = [];
    for (const { backlog } of backlogs) {
      const most = Math.min(CLAIM_AT_MOST, batch - own.size) - chosen.length;
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

  /** Starts the listed rows that the limits allow. */
  function pump(): Promise<void> {
    pumpAgain = true;
    pumping ??= pumpAll().finally(() => {
      pumping = null;
      wakeWaiting();
      pumpWithin(RETRY_WAITING_MS);
    });
    return pumping;
  }

  function pumpWithin(ms: number): void {
    if (stopped || !isBacklogged()) return;
    const at = performance.now() + ms;
    if (pumpTimer !== null) {
      if (pumpTimer.at <= at) return;
      clearTimeout(pumpTimer.timer);
    }
    const timer = setTimeout(() => {
      pumpTimer = null;
      startWaiting();
      pump().catch(warn);
    }, ms);
    pumpTimer = { timer, at };
  }

  function warn(error: unknown): void {
    logger.warn({ err: error }, 'could not claim deliveries; the sweep retries');
  }

  async function listAndBegin(): Promise<void> {
    startWaiting();
    let after = lastSeen;
    if (performance.now() - listedAllAt >= LIST_ALL_EVERY_MS) {
      listedAllAt = performance.now();
      after = null;
      for (const { backlog } of backlogs) backlog.clear();
    }
    for (let isFull = true; isFull && !stopped;) {
      const page = { limit: ROWS_PER_PAGE, only, after };
      const { rows, placed } = await paced(async () => {
        const listed = await outbox.listDue(page);
        return { rows: listed, placed: await place(listed) };
      }, true);
      isFull = rows.length === ROWS_PER_PAGE;
      after = rows.at(-1) ?? after;
      lastSeen = after;
      for (const { lane, backlog } of backlogs) backlog.add(placed.filter((row) => row.lane === lane));
      await pump();
    }
  }

  /** Repeats when `sendDue` was called in between: its rows may have become due after the last page. */
  async function sendRepeatedly(): Promise<void> {
    do {
      again = false;
      await listAndBegin();
    } while (again && !stopped);
  }

  function sendDue(): Promise<void> {
    again = true;
    if (stopped) return Promise.resolve();
    run ??= sendRepeatedly()
      .catch(warn)
      .finally(() => (run = null));
    return run;
  }

  const woken = (): Promise<void> => new Promise((resolve) => wake.push(resolve));

  return {
    sendDue,
    dispatch(rows) {
      let isDue = false;
      for (const row of rows)
        if (row.status === 'sending') {
          own.add(row.id);
          waiting.push(row);
        } else isDue = true;
      startWaiting();
      enqueueSoon(rows);
      if (isDue) void sendDue();
    },
    isSending: () => own.size > 0,
    async idle() {
      while (run !== null || pumping !== null || own.size > 0 || isBacklogged()) {
        await run;
        await pumping?.catch(warn);
        if (own.size > 0 || isBacklogged()) await woken();
      }
    },
    async stop() {
      stopped = true;
      outbox.stop();
      if (pumpTimer !== null) clearTimeout(pumpTimer.timer);
      startWaiting();
      await run;
      await pumping?.catch(warn);
      while (own.size > 0) await woken();
    },
  };
}
