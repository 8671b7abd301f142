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

/**
 * Outbox tables: their rows are written in the transaction of a change and sent after it. `payment_events` are stored by
 * the webhook and applied after it, by the same rules.
 */
type OutboxTable = 'alert_deliveries' | 'mails' | 'member_deliveries' | 'payment_events';

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

/** The outbox tables reduced to their common columns, so that one query serves all. */
type OutboxSchema = Record<OutboxTable, OutboxRow & Record<string, unknown>>;

interface OutboxRules<Row> {
  /**
   * The statuses of unfinished rows, as in the table's partial index: `sending` while claimed, the others while
   * waiting.
   */
  unfinished: readonly Extract<Row, { status: string }>['status'][];
  /** A claim that is not renewed for this long belongs to a dead sender. */
  claimLifetimeMs: number;
  /** The status of a row that waits again after its claim was given back; default: `pending`. */
  waitingStatus?: RawBuilder<string>;
  /** Additional columns that a claim sets. */
  onClaim?: Record<string, RawBuilder<unknown>>;
}

interface NewRow {
  /** Epoch ms, as the others. */
  dueAt: number;
  expiresAt: number;
  /** The process that sends the row after the commit; null leaves it to the first process that claims it. */
  owner: string | null;
  now: number;
}

/** The job of a row: for its next attempt, or for the current one while it is claimed. */
export function toDue(row: OutboxRow): DueDelivery {
  return {
    id: row.id,
    attempt: row.status === 'sending' ? row.attempts : row.attempts + 1,
    dueAt: fromIso(row.due_at),
  };
}

/** The outcome of an attempt, as columns to write. */
export interface Settlement<Row, Change> {
  row: Row;
  change: Change;
}

/** The most rows that one call lists. */
const MAX_ROWS = 1_000;

/**
 * Creates a durable outbox. A row waits until it is due, one sender claims it, and the outcome either finishes it or
 * makes it wait again. Only the database decides who sends; queues and timers only say when to try.
 */
export function createOutbox<Table extends OutboxTable>(
  table: Table,
  {
    unfinished,
    claimLifetimeMs,
    waitingStatus = sql.lit('pending'),
    onClaim = {},
  }: OutboxRules<Selectable<Schema[Table]>>,
) {
  type Row = Selectable<Schema[Table]> & OutboxRow;
  // Literals, because SQLite uses a partial index only if the condition is written as in the index, without
  // parameters.
  const statusIn = (names: readonly string[]): RawBuilder<boolean> =>
    sql`status in (${sql.join(names.map((name) => sql.lit(name)))})`;
  const isUnfinished = statusIn(unfinished);
  const isWaiting = statusIn(unfinished.filter((status) => status !== 'sending'));
  const common = (db: Kysely<Schema>): Kysely<OutboxSchema> => db as unknown as Kysely<OutboxSchema>;

  /** Waiting and due, or claimed by a dead sender. */
  function isFree(now: number): RawBuilder<boolean> {
    const stamp = toIso(now);
    return sql`((${isWaiting} and due_at <= ${stamp}) or (status = 'sending' and claimed_until < ${stamp}))`;
  }

  /** Claims the free ones among the rows that the caller selects. */
  const claiming = (trx: Transaction<Schema>, owner: string, now: number) =>
    common(trx)
      .updateTable(table as OutboxTable)
      .set({
        status: 'sending',
        claimed_by: owner,
        claimed_until: toIso(now + claimLifetimeMs),
        attempts: sql<number>`attempts + 1`,
        ...onClaim,
        updated_at: toIso(now),
      })
      .where(isFree(now))
      .returningAll();

  /** Writes an outcome to those among the rows that the caller selects which still have the claim of `row`. */
  const settling = (
    trx: Transaction<Schema>,
    { row, change }: Settlement<Row, Updateable<Schema[Table]>>,
    now: number,
  ) =>
    common(trx)
      .updateTable(table as OutboxTable)
      .set({ ...change, claimed_by: null, claimed_until: null, updated_at: toIso(now) })
      .where('status', '=', 'sending')
      .where('claimed_by', '=', row.claimed_by)
      .where('attempts', '=', row.attempts)
      .returningAll();

  return {
    table,
    claimLifetimeMs,

    /** Claims one row if it is free; null when it is not due, finished or being sent. */
    async claim(
      db: Kysely<Schema>,
      { id, owner, now }: { id: string; owner: string; now: number },
    ): Promise<Row | null> {
      const row = await inTransaction(db, (trx) =>
        claiming(trx, owner, now).where('id', '=', id).executeTakeFirst(),
      );
      return (row as Row | undefined) ?? null;
    },

    /** Claims those of these rows that are free. */
    async claimMany(
      db: Kysely<Schema>,
      { ids, owner, now }: { ids: readonly string[]; owner: string; now: number },
    ): Promise<Row[]> {
      if (ids.length === 0) return [];
      const rows = await inTransaction(db, (trx) =>
        claiming(trx, owner, now)
          .where('id', 'in', [...ids])
          .execute(),
      );
      return rows as unknown as Row[];
    },

    /**
     * A page of the free rows that match `only`, the longest due first: at most `limit`, those after the row `after` of
     * an earlier page. Read-only. For tables whose index begins with the column of `only` and `due_at`.
     */
    async listFree(
      db: Kysely<Schema>,
      {
        now,
        limit,
        only,
        after,
      }: { now: number; limit: number; only: Partial<Row>; after: Pick<Row, 'id' | 'due_at'> | null },
    ): Promise<Row[]> {
      let free = common(db)
        .selectFrom(table as OutboxTable)
        .selectAll()
        .where(isUnfinished)
        // Also true of claimed rows; it ends the scan of the index at the rows that wait.
        .where('due_at', '<=', toIso(now))
        .where(isFree(now));
      for (const [column, value] of Object.entries(only)) free = free.where(column, '=', value);
      if (after !== null)
        free = free
          .where('due_at', '>=', after.due_at)
          .where((where) => where.or([where('due_at', '>', after.due_at), where('id', '>', after.id)]));
      return (await free.orderBy('due_at').orderBy('id').limit(limit).execute()) as unknown as Row[];
    },

    /**
     * The common columns of a new row. A row that is due and has an `owner` is claimed at once: the process that
     * commits it sends it.
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
        claimed_until: claimed ? toIso(now + claimLifetimeMs) : null,
        created_at: toIso(now),
        updated_at: toIso(now),
      };
    },

    /** Writes the outcome of an attempt and releases the claim. Null when the claim was lost. */
    async settle(
      trx: Transaction<Schema>,
      row: Row,
      change: Updateable<Schema[Table]>,
      now: number,
    ): Promise<Row | null> {
      const after = await settling(trx, { row, change }, now).where('id', '=', row.id).executeTakeFirst();
      return (after as Row | undefined) ?? null;
    },

    /**
     * Writes the outcomes of several attempts and releases their claims; rows with equal outcomes share a statement.
     * Returns the rows as they are now, without those whose claim was lost.
     */
    async settleBatch(
      trx: Transaction<Schema>,
      settlements: readonly Settlement<Row, Updateable<Schema[Table]>>[],
      now: number,
    ): Promise<Row[]> {
      type Group = { first: Settlement<Row, Updateable<Schema[Table]>>; ids: string[] };
      const groups = new Map<string, Group>();
      for (const settlement of settlements) {
        const { row, change } = settlement;
        const key = JSON.stringify([row.claimed_by, row.attempts, change]);
        const group = groups.get(key) ?? { first: settlement, ids: [] };
        group.ids.push(row.id);
        groups.set(key, group);
      }
      const settled: Row[] = [];
      for (const { first, ids } of groups.values()) {
        const after = await settling(trx, first, now).where('id', 'in', ids).execute();
        settled.push(...(after as unknown as Row[]));
      }
      return settled;
    },

    /** How often `renew` is called for a running attempt. */
    renewEveryMs: claimLifetimeMs / 3,

    /** Extends the claims of rows that are being sent. A claim that was lost stays lost. */
    async renew(db: Kysely<Schema>, { rows, now }: { rows: readonly Row[]; now: number }): Promise<void> {
      await inTransaction(db, async (trx) => {
        for (const { id, claimed_by, attempts } of rows)
          await common(trx)
            .updateTable(table as OutboxTable)
            .set({ claimed_until: toIso(now + claimLifetimeMs) })
            .where('id', '=', id)
            .where('status', '=', 'sending')
            .where('claimed_by', '=', claimed_by)
            .where('attempts', '=', attempts)
            .execute();
      });
    },

    /** Gives back rows that were claimed and whose attempts have not begun: they wait as before. */
    async giveBack(db: Kysely<Schema>, { rows, now }: { rows: readonly Row[]; now: number }): Promise<void> {
      await inTransaction(db, async (trx) => {
        for (const { id, claimed_by, attempts } of rows)
          await common(trx)
            .updateTable(table as OutboxTable)
            .set({
              status: waitingStatus,
              claimed_by: null,
              claimed_until: null,
              attempts: attempts - 1,
              updated_at: toIso(now),
            })
            .where('id', '=', id)
            .where('status', '=', 'sending')
            .where('claimed_by', '=', claimed_by)
            .where('attempts', '=', attempts)
            .execute();
      });
    },

    /** Expires the claims of dead daemons, so that the next sweep sends their rows. Returns how many. */
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

    /**
     * The ids of rows that can be claimed, oldest first, limited to those that match `only` and not `except`. Read-only.
     */
    async listDue(
      db: Kysely<Schema>,
      { now, only = {}, except = {} }: { now: number; only?: Partial<Row>; except?: Partial<Row> },
    ): Promise<string[]> {
      let query = common(db)
        .selectFrom(table as OutboxTable)
        .select('id')
        .where(isUnfinished)
        .where(isFree(now));
      for (const [column, value] of Object.entries(only)) query = query.where(column, '=', value);
      for (const [column, value] of Object.entries(except)) query = query.where(column, '<>', value);
      const rows = await query.orderBy('due_at').limit(MAX_ROWS).execute();
      return rows.map((row) => row.id);
    },

    /** Applies `move` to the times of every unfinished row. */
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
