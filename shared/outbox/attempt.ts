import type { Kysely } from 'kysely';
import type { Clock } from '../clock';
import type { Schema } from '../database/schema';
import type { WriteRetrier } from '../database/write-retrier';
import type { Logger } from '../logger.server';
import type { OutboxRow } from './outbox';

/** The dependencies of an outbox sender; built once per process. */
export interface SenderContext<Row, Outcome> {
  db: Kysely<Schema>;
  clock: Clock;
  logger: Logger;
  /** The id of this process in claims. */
  owner: string;
  /** Retries writing an outcome until the database accepts it, so that a sent message is not sent again. */
  outcomes: WriteRetrier;
  /** Awaited before a stored time is compared with now (see `ClockSteps`). */
  handleClockStep?: () => Promise<void>;
  /** Called after every attempt, for metrics. */
  onOutcome?: (row: Row, outcome: Outcome) => void;
}

/** Sends the rows of one outbox. Never throws for faults of outside services. */
export interface OutboxSender<Row> {
  /** Claims a row if it is due and free, and sends it. Returns the rows to send next because of it. */
  attempt(id: string): Promise<Row[]>;
  /**
   * Sends a row that this process has claimed, and records the outcome. Returns the rows to send next because of it.
   */
  attemptClaimed(row: Row): Promise<Row[]>;
  /** Begins no more attempts: `attempt` does nothing, and `attemptClaimed` gives the row back. */
  stop(): void;
}

/** An outbox whose claims can be renewed. */
interface Renewable<Row> {
  renew(db: Kysely<Schema>, claims: { rows: readonly Row[]; now: number }): Promise<void>;
  renewEveryMs: number;
}

/** Runs an attempt and renews its claim meanwhile: the receiver may take longer than a claim lasts. */
export async function keepClaim<Row, Result>(
  { db, clock }: { db: Kysely<Schema>; clock: Clock },
  outbox: Renewable<Row>,
  row: Row,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const renewal = setInterval(() => {
    // A renewal that fails is tried again.
    outbox.renew(db, { rows: [row], now: clock.now() }).catch(() => undefined);
  }, outbox.renewEveryMs);
  try {
    return await attempt();
  } finally {
    clearInterval(renewal);
  }
}

/**
 * `send` makes one attempt; `record` writes its outcome, possibly long after the attempt ended (`endedAt`, epoch ms).
 */
export function createOutboxSender<Row extends OutboxRow, Outcome extends { is: string }>(
  { db, clock, logger, owner, outcomes, handleClockStep, onOutcome }: SenderContext<Row, Outcome>,
  {
    outbox,
    send,
    record,
    describe,
    messages = { ok: 'sent', skipped: 'no longer needed', failed: 'not sent' },
  }: {
    outbox: Renewable<Row> & {
      claim(db: Kysely<Schema>, claim: { id: string; owner: string; now: number }): Promise<Row | null>;
      giveBack(db: Kysely<Schema>, claims: { rows: readonly Row[]; now: number }): Promise<void>;
    };
    send(row: Row): Promise<Outcome>;
    record(row: Row, outcome: Outcome, endedAt: number): Promise<Row[]>;
    /** The fields that identify the row in a log line. */
    describe(row: Row): Record<string, unknown>;
    /** The message of an attempt's log line; `skipped` is one that ended as `cancelled` or `ignored`. */
    messages?: { ok: string; skipped: string; failed: string };
  },
): OutboxSender<Row> {
  function log(row: Row, outcome: Outcome): void {
    const line = { ...describe(row), attempt: row.attempts, outcome: outcome.is };
    if (outcome.is === 'ok') logger.info('ms' in outcome ? { ...line, ms: outcome.ms } : line, messages.ok);
    else if (outcome.is === 'cancelled' || outcome.is === 'ignored') logger.info(line, messages.skipped);
    else logger.warn('reason' in outcome ? { ...line, reason: outcome.reason } : line, messages.failed);
  }

  let stopped = false;

  async function sendAndRecord(row: Row): Promise<Row[]> {
    const outcome = await send(row);
    const endedAt = clock.now();
    log(row, outcome);
    const next = await outcomes.untilWritten(async () => {
      await handleClockStep?.();
      return record(row, outcome, endedAt);
    });
    onOutcome?.(row, outcome);
    return next;
  }

  async function attemptClaimed(row: Row): Promise<Row[]> {
    if (stopped) {
      await outbox.giveBack(db, { rows: [row], now: clock.now() });
      return [];
    }
    return keepClaim({ db, clock }, outbox, row, () => sendAndRecord(row));
  }

  return {
    attemptClaimed,
    stop() {
      stopped = true;
    },
    async attempt(id) {
      if (stopped) return [];
      await handleClockStep?.();
      const row = await outbox.claim(db, { id, owner, now: clock.now() });
      return row === null ? [] : attemptClaimed(row);
    },
  };
}
