import type { Kysely, Selectable, Transaction } from 'kysely';
import { fromIso, type Clock } from '../clock';
import { isStorageFault, levelOf } from '../database/database-errors';
import type { Schema } from '../database/schema';
import type { Scope } from '../database/scope';
import { inTransaction } from '../database/transaction';
import type { WriteRetrier } from '../database/write-retrier';
import type { Logger } from '../logger.server';
import type { Outbox, OutboxRow, OutboxTable } from './define-outbox';
import { withoutNul } from '../text';
import { changeAfter, type Outcome } from './outcome';

/** The dependencies of an outbox sender; built once per process. */
export interface SenderContext<Row, Ended extends Outcome> {
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
  onOutcome?: (row: Row, outcome: Ended) => void;
}

/** A row of an outbox table. */
export type RowOf<Table extends OutboxTable> = Selectable<Schema[Table]> & OutboxRow;
/** What an attempt writes to its row. */
export type ChangeOf<Table extends OutboxTable> = Parameters<Outbox<Table>['settle']>[1][number]['change'];

/** An attempt that ended at `endedAt` (epoch ms). */
export interface Attempt<Row, Ended extends Outcome> {
  /** As it was claimed. */
  row: Row;
  outcome: Ended;
  endedAt: number;
}

/** What is particular to the rows of one outbox. */
export interface OutboxWork<Table extends OutboxTable, Ended extends Outcome, Prepared = undefined> {
  outbox: Outbox<Table>;
  /** Reads what the attempts of these claimed rows need. Without it, each attempt reads for itself. */
  prepare?(rows: readonly RowOf<Table>[]): Promise<Prepared>;
  /**
   * Makes one attempt. Never throws for faults of outside services, and for those of the database only before it sends. An
   * error of the program counts as an attempt without an answer, because the receiver may have the message.
   */
  send(row: RowOf<Table>, prepared: Prepared): Promise<Ended>;
  /** Whether `send` decides about rows that have expired; else they are not sent. */
  decidesWhenExpired?: boolean;
  /** The scope of the transaction that writes these outcomes; undefined: it runs alone. */
  scopeOf?(attempts: readonly Attempt<RowOf<Table>, Ended>[]): Scope | undefined;
  /** Changes what the outcomes write, in the transaction that writes them; see `changeAfter`. Returns it in the same order. */
  adjust?(
    trx: Transaction<Schema>,
    attempts: readonly (Attempt<RowOf<Table>, Ended> & { change: ChangeOf<Table> })[],
    now: number,
  ): Promise<ChangeOf<Table>[]>;
  /** Writes what else follows in the transaction, for claims that were not lost. Returns what to do after the commit. */
  follow?(
    trx: Transaction<Schema>,
    attempts: readonly (Attempt<RowOf<Table>, Ended> & { after: RowOf<Table> })[],
    now: number,
  ): Promise<(() => void) | undefined>;
  /** The fields that identify the row in a log line. */
  describe(row: RowOf<Table>): Record<string, unknown>;
  /** The messages of the log lines, at level `debug` if there are too many of them. */
  log?: { ok: string; cancelled: string; failed: string; isDebug?: boolean };
}

export interface OutboxSender<Row, Ended extends Outcome = Outcome, Prepared = unknown> {
  /** A page of due rows; see `Outbox.listDue`. */
  listDue(page: { limit?: number; only?: Partial<Row>; after?: Row | null }): Promise<Row[]>;
  /** Claims those of these rows that are due and free. */
  claim(ids: readonly string[]): Promise<Row[]>;
  /** Absent when attempts need nothing. */
  prepare: ((rows: readonly Row[]) => Promise<Prepared>) | undefined;
  /**
   * Sends a row that this process has claimed, and keeps its claim until it is settled. Gives it back, null, after `stop` and
   * when its claim has expired before. If the row has expired as well, that is the outcome, so that its claims end.
   */
  begin(row: Row, prepared: Prepared): Promise<Attempt<Row, Ended> | null>;
  /** Records outcomes in one transaction, however long the database is unavailable. Returns the rows that wait again. */
  settle(attempts: readonly Attempt<Row, Ended>[]): Promise<Row[]>;
  /** Begins no more attempts. */
  stop(): void;
}

const EXPIRED = { kind: 'expired', reason: 'it expired before it could be sent' } as const;

/** An outage of the database, of which others hear; any other error is a bug. */
const isOutage = (error: unknown): boolean => levelOf(error) === 'warn' || isStorageFault(error);

const MESSAGES = { ok: 'sent', cancelled: 'no longer needed', failed: 'not sent' };

/** A receiver's answer may hold U+0000: the outcome is recorded without it, or the message would be sent again. */
function storable<Ended extends Outcome>(outcome: Ended): Ended {
  if (!('reason' in outcome) || outcome.reason === undefined) return outcome;
  return { ...outcome, reason: withoutNul(outcome.reason) };
}

/** Creates the sender of an outbox for this process. */
export function createOutboxSender<Table extends OutboxTable, Ended extends Outcome, Prepared = undefined>(
  { db, clock, logger, owner, outcomes, handleClockStep, onOutcome }: SenderContext<RowOf<Table>, Ended>,
  work: OutboxWork<Table, Ended, Prepared>,
): OutboxSender<RowOf<Table>, Ended, Prepared> {
  type Row = RowOf<Table>;
  const { outbox } = work;
  const { isDebug = false, ...messages }: NonNullable<typeof work.log> = work.log ?? MESSAGES;
  type Consequences = Pick<typeof work, 'adjust' | 'follow'>;
  const renewals = new Map<string, NodeJS.Timeout>();
  let stopped = false;

  function log(row: Row, outcome: Outcome): void {
    const line: Record<string, unknown> = {
      ...work.describe(row),
      attempt: row.attempts,
      outcome: outcome.kind,
    };
    for (const key of ['ms', 'reason'] as const)
      if (key in outcome) line[key] = (outcome as Record<string, unknown>)[key];
    const level = isDebug ? 'debug' : outcome.kind === 'ok' || outcome.kind === 'cancelled' ? 'info' : 'warn';
    logger[level](
      line,
      outcome.kind === 'ok' || outcome.kind === 'cancelled' ? messages[outcome.kind] : messages.failed,
    );
  }

  /** Renews the claim until `release`: the receiver, or the database, may take longer than a claim lasts. */
  function keepClaim(row: Row): void {
    const renew = (): void => {
      // A renewal that fails is tried again.
      outbox.renew(db, { row, now: clock.now() }).catch(() => undefined);
    };
    renewals.set(row.id, setInterval(renew, outbox.renewEveryMs));
  }

  function release(id: string): void {
    clearInterval(renewals.get(id));
    renewals.delete(id);
  }

  async function record(
    trx: Transaction<Schema>,
    attempts: readonly Attempt<Row, Ended>[],
    { adjust, follow }: Consequences,
  ) {
    const now = clock.now();
    const { backoff } = outbox;
    const retried = attempts.filter(({ outcome }) => outcome.kind === 'retry').map(({ row }) => row.id);
    const expiries = await outbox.readExpiries(trx, retried);
    const proposed = attempts.map((attempt) => {
      const { row, outcome, endedAt } = attempt;
      const expiresAt = expiries.get(row.id) ?? row.expires_at;
      const change = changeAfter(row, outcome, { backoff, expiresAt, endedAt, now }) as ChangeOf<Table>;
      return { ...attempt, change };
    });
    const changes = await adjust?.(trx, proposed, now);
    const settled = await outbox.settle(
      trx,
      proposed.map(({ row, change }, at) => ({ row, change: changes?.[at] ?? change })),
      now,
    );
    const rows = new Map(settled.map((row) => [row.id, row]));
    const kept = attempts.flatMap((attempt) => {
      const after = rows.get(attempt.row.id);
      return after === undefined ? [] : [{ ...attempt, after }];
    });
    const announce = await follow?.(trx, kept, now);
    const waiting = settled.filter(({ status }) => status === 'pending' || status === 'outdated');
    return { announce, waiting };
  }

  function end(row: Row, outcome: Outcome): Attempt<Row, Ended> {
    log(row, outcome);
    return { row, outcome: outcome as Ended, endedAt: clock.now() };
  }

  /** An attempt that a bug ended. The log has the error, which may quote what members and admins must not read. */
  function endByBug(row: Row, error: unknown, uncertain: boolean): Attempt<Row, Ended> {
    logger.error({ ...work.describe(row), err: error }, 'an attempt failed by an error of this program');
    return end(row, { kind: 'retry', reason: 'an error of this program, which is in its log', uncertain });
  }

  /** Gives back rows of which nothing was sent, because the database failed before: their expired claims would count as sent. */
  async function giveBackUnsent(rows: readonly Row[]): Promise<void> {
    for (const row of rows) await outcomes.untilWritten(() => outbox.giveBack(db, { row, now: clock.now() }));
  }

  async function prepare(rows: readonly Row[]): Promise<Prepared> {
    try {
      return (await work.prepare?.(rows)) as Prepared;
    } catch (error) {
      if (isOutage(error)) await giveBackUnsent(rows);
      else await sender.settle(rows.map((row) => endByBug(row, error, false)));
      throw error;
    }
  }

  async function settleTogether(
    attempts: readonly Attempt<Row, Ended>[],
    consequences: Consequences = work,
  ): Promise<Row[]> {
    const { announce, waiting } = await outcomes.untilWritten(async () => {
      await handleClockStep?.();
      return inTransaction(db, (trx) => record(trx, attempts, consequences), work.scopeOf?.(attempts));
    });
    for (const { row, outcome } of attempts) onOutcome?.(row, outcome);
    announce?.();
    return waiting;
  }

  /** Records one outcome; if a bug prevents what follows from it, without that: a row that keeps its claim is sent again. */
  async function settleAlone(attempt: Attempt<Row, Ended>): Promise<Row[]> {
    for (const consequences of [work, { adjust: work.adjust }])
      try {
        return await settleTogether([attempt], consequences);
      } catch (error) {
        if (isOutage(error)) throw error;
        logger.error(
          { ...work.describe(attempt.row), err: error },
          'could not write all that follows from an attempt',
        );
      }
    return settleTogether([attempt], {});
  }

  const sender: OutboxSender<Row, Ended, Prepared> = {
    async listDue(page) {
      await handleClockStep?.();
      return outbox.listDue(db, { ...page, now: clock.now() });
    },
    async claim(ids) {
      await handleClockStep?.();
      return outbox.claim(db, { ids, owner, now: clock.now() });
    },
    prepare: work.prepare === undefined ? undefined : prepare,
    async begin(row, prepared) {
      if (stopped || clock.now() >= fromIso(row.claimed_until ?? '')) {
        await handleClockStep?.();
        const now = clock.now();
        const expiresAt = (await outbox.readExpiries(db, [row.id])).get(row.id) ?? row.expires_at;
        if (!stopped && now >= fromIso(expiresAt)) return end(row, EXPIRED);
        await outbox.giveBack(db, { row, now });
        return null;
      }
      const spent = outbox.outcomeOfSpent(row);
      if (spent !== null) return end(row, spent);
      if (work.decidesWhenExpired !== true && row.sent_at === null && clock.now() >= fromIso(row.expires_at))
        return end(row, EXPIRED);
      keepClaim(row);
      try {
        return end(row, storable(await work.send(row, prepared)));
      } catch (error) {
        if (!isOutage(error)) return endByBug(row, error, !outbox.isRepeatable(row));
        await giveBackUnsent([row]).finally(() => release(row.id));
        throw error;
      }
    },
    async settle(attempts) {
      const [only, ...others] = attempts;
      try {
        return only !== undefined && others.length === 0
          ? await settleAlone(only)
          : await settleTogether(attempts);
      } catch (error) {
        if (others.length === 0 || isOutage(error)) throw error;
        // A bug in what follows from one of them leaves the others settled: their claims would expire, and they be sent again.
        logger.error({ err: error }, 'could not settle attempts together; each is settled alone');
        const settled = await Promise.allSettled(attempts.map(settleAlone));
        const failed = settled.find((result) => result.status === 'rejected');
        if (failed !== undefined) logger.error({ err: failed.reason }, 'could not settle an attempt');
        return settled.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
      } finally {
        for (const { row } of attempts) release(row.id);
      }
    },
    stop() {
      stopped = true;
    },
  };
  return sender;
}
