import {
  sql,
  type Kysely,
  type RawBuilder,
  type Selectable,
  type Transaction,
  type Updateable,
} from 'kysely';
import { fromIso, toIso } from '../clock';
import type { Schema } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { newId } from '../ids';
import type { DueDelivery } from '../queues/catalogue';

/** The tables that are outboxes: rows that are written in the transaction of a change, and sent after it. */
type OutboxTable = 'alert_deliveries' | 'mails';

/** The columns that every outbox table has. */
export interface OutboxRow {
  id: string;
  status: string;
  due_at: string;
  expires_at: string;
  attempts: number;
  claimed_by: string | null;
  claimed_until: string | null;
  updated_at: string;
}

/** The tables of this folder by their common columns alone, so that one query text serves them all. */
type OutboxSchema = Record<OutboxTable, OutboxRow & Record<string, unknown>>;

interface OutboxRules<Row> {
  /**
   * The statuses of a row that is not finished, in the words of the table's partial index: `sending` while it is claimed,
   * the others while it waits for its due time.
   */
  unfinished: readonly Extract<Row, { status: string }>['status'][];
  /** Longer than one whole attempt: a claim that outlives this belongs to a sender that died. */
  claimLastsMs: number;
  /** More columns that a claim sets. */
  onClaim?: Record<string, RawBuilder<unknown>>;
}

interface NewRow {
  /** Epoch ms, as the others. */
  dueAt: number;
  expiresAt: number;
  /** The process that sends the row after the commit; null leaves it to the first that claims it. */
  owner: string | null;
  now: number;
}

/** The job of a row: of the attempt that it waits for, or of the one that is being made. */
export function toDue(row: OutboxRow): DueDelivery {
  return {
    id: row.id,
    attempt: row.status === 'sending' ? row.attempts : row.attempts + 1,
    dueAt: fromIso(row.due_at),
  };
}

/** Rows are listed in steps of this many. */
const MOST_AT_ONCE = 1_000;

/**
 * One durable outbox. A row waits until its due time, is claimed by one sender, and is settled by the outcome of that
 * attempt: finished, or waiting again. The database alone decides who sends; queues and timers only say when to try.
 */
export function createOutbox<Table extends OutboxTable>(
  table: Table,
  { unfinished, claimLastsMs, onClaim = {} }: OutboxRules<Selectable<Schema[Table]>>,
) {
  type Row = Selectable<Schema[Table]> & OutboxRow;
  // Literals: SQLite uses a partial index only for a condition that is written as the index has it, without parameters.
  const statusIn = (names: readonly string[]): RawBuilder<boolean> =>
    sql`status in (${sql.join(names.map((name) => sql.lit(name)))})`;
  const isUnfinished = statusIn(unfinished);
  const isWaiting = statusIn(unfinished.filter((status) => status !== 'sending'));
  const common = (db: Kysely<Schema>): Kysely<OutboxSchema> => db as unknown as Kysely<OutboxSchema>;

  /** Waiting and due, or claimed by a sender that died. */
  function isFree(now: number): RawBuilder<boolean> {
    const stamp = toIso(now);
    return sql`((${isWaiting} and due_at <= ${stamp}) or (status = 'sending' and claimed_until < ${stamp}))`;
  }

  return {
    /** Claims one row if it is free; null when it is not due, finished or being sent. */
    async claim(
      db: Kysely<Schema>,
      { id, owner, now }: { id: string; owner: string; now: number },
    ): Promise<Row | null> {
      const row = await inTransaction(db, (trx) =>
        common(trx)
          .updateTable(table as OutboxTable)
          .set({
            status: 'sending',
            claimed_by: owner,
            claimed_until: toIso(now + claimLastsMs),
            attempts: sql`attempts + 1`,
            ...onClaim,
            updated_at: toIso(now),
          })
          .where('id', '=', id)
          .where(isFree(now))
          .returningAll()
          .executeTakeFirst(),
      );
      return (row as Row | undefined) ?? null;
    },

    /**
     * The common columns of a new row. With an `owner` a row that is due is claimed by the transaction that writes it: the
     * process that commits it sends it at once.
     */
    newRow({ dueAt, expiresAt, owner, now }: NewRow) {
      const claimed = owner !== null && dueAt <= now;
      return {
        id: newId(),
        status: claimed ? ('sending' as const) : ('pending' as const),
        due_at: toIso(dueAt),
        expires_at: toIso(expiresAt),
        attempts: claimed ? 1 : 0,
        claimed_by: claimed ? owner : null,
        claimed_until: claimed ? toIso(now + claimLastsMs) : null,
        created_at: toIso(now),
        updated_at: toIso(now),
      };
    },

    /** Writes what came of an attempt and gives up the claim. Null when the claim was lost meanwhile. */
    async settle(
      trx: Transaction<Schema>,
      row: Row,
      change: Updateable<Schema[Table]>,
      now: number,
    ): Promise<Row | null> {
      const after = await common(trx)
        .updateTable(table as OutboxTable)
        .set({ ...change, claimed_by: null, claimed_until: null, updated_at: toIso(now) })
        .where('id', '=', row.id)
        .where('status', '=', 'sending')
        .where('claimed_by', '=', row.claimed_by)
        .where('attempts', '=', row.attempts)
        .returningAll()
        .executeTakeFirst();
      return (after as Row | undefined) ?? null;
    },

    /** Frees what dead daemons had claimed, so that the next sweep sends it. Returns how many rows. */
    async release(
      db: Kysely<Schema>,
      { owners, now }: { owners: readonly string[]; now: number },
    ): Promise<number> {
      if (owners.length === 0) return 0;
      const { numUpdatedRows } = await inTransaction(db, (trx) =>
        common(trx)
          .updateTable(table as OutboxTable)
          .set({ claimed_until: toIso(now - 1) })
          .where('status', '=', 'sending')
          .where('claimed_by', 'in', [...owners])
          .executeTakeFirstOrThrow(),
      );
      return Number(numUpdatedRows);
    },

    /** The ids of the rows that are free, oldest first, of those that have the values of `only`. Only reads. */
    async listDue(
      db: Kysely<Schema>,
      { now, only = {} }: { now: number; only?: Partial<Row> },
    ): Promise<string[]> {
      let query = common(db)
        .selectFrom(table as OutboxTable)
        .select('id')
        .where(isUnfinished)
        .where(isFree(now));
      for (const [column, value] of Object.entries(only)) query = query.where(column, '=', value);
      const rows = await query.orderBy('due_at').limit(MOST_AT_ONCE).execute();
      return rows.map((row) => row.id);
    },

    /** Moves the times of every unfinished row, as `move` says. */
    async shiftTimes(trx: Transaction<Schema>, move: (time: string) => string): Promise<void> {
      const rows = await common(trx)
        .selectFrom(table as OutboxTable)
        .select(['id', 'due_at', 'expires_at', 'claimed_until'])
        .where(isUnfinished)
        .execute();
      for (const { id, due_at, expires_at, claimed_until } of rows)
        await common(trx)
          .updateTable(table as OutboxTable)
          .set({
            due_at: move(due_at),
            expires_at: move(expires_at),
            claimed_until: claimed_until === null ? null : move(claimed_until),
          })
          .where('id', '=', id)
          .execute();
    },
  };
}
