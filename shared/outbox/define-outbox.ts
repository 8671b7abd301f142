import {
  sql,
  type Kysely,
  type RawBuilder,
  type Selectable,
  type Transaction,
  type Updateable,
} from 'kysely';
import { fromIso, toIso } from '../clock';
import { skipLocked } from '../database/dialect';
import type { Schema } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { newOrderedId } from '../ids';
import type { DueDelivery } from '../queues/catalogue';
import { SENT_TWICE, type Backoff, type OutboxChange } from './outcome';
import type { OutboxColumns, OutboxStatus } from '../database/tables/outbox-columns';

/** The tables that are outboxes: their rows are written in the transaction of a change and sent after it. */
export type OutboxTable = {
  [Table in keyof Schema]: Schema[Table] extends OutboxColumns<OutboxStatus | 'outdated'> ? Table : never;
}[keyof Schema];

/** The columns of a row of any outbox. */
export type OutboxRow = Selectable<OutboxColumns<OutboxStatus | 'outdated'>>;

/** The outbox tables reduced to their common columns, so that one query serves all. */
type OutboxSchema = Record<string, OutboxRow & Record<string, unknown>>;

export interface OutboxRules {
  /** A claim that is not renewed for this long belongs to a dead sender. */
  claimLifetimeMs: number;
  backoff: Backoff;
  /** A message that was posted waits again, as `outdated`, until its edit, which may be repeated at will. */
  isEdited?: boolean;
  /** An attempt may be repeated at will, also after one that ended without an answer. */
  isRepeatable?: boolean;
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
export function toDue(row: Pick<OutboxRow, 'id' | 'status' | 'attempts' | 'due_at'>): DueDelivery {
  return {
    id: row.id,
    attempt: row.status === 'sending' ? row.attempts : row.attempts + 1,
    dueAt: fromIso(row.due_at),
  };
}

/** What an attempt writes to its row. */
export interface Settlement<Row, Change> {
  row: Row;
  change: Change;
}

/** The rows that one call lists by default. It blocks the event loop for about a millisecond. */
const ROWS_PER_PAGE = 250;

// Literals, because SQLite uses a partial index only if the condition is written as in the index, without parameters.
const statusIn = (names: readonly string[]): RawBuilder<boolean> =>
  sql`status in (${sql.join(names.map((name) => sql.lit(name)))})`;

/** Written by the claim of a row that must not be sent again: two claims before it expired (see `uncertainOnClaim`). */
const SPENT = 'two processes that sent it have ended';

/**
 * The columns that a claim sets besides its own. An expired claim belonged to a sender that died, perhaps after it had sent:
 * the first one makes the row uncertain, and the second one spends it, unless its attempts may be repeated (not `once`).
 */
function uncertainOnClaim(once: RawBuilder<boolean>): Record<string, RawBuilder<unknown>> {
  const isSpent = sql`status = 'sending' and uncertain = 1 and ${once}`;
  return {
    uncertain: sql`case when status = 'sending' and ${once} then 1 else uncertain end`,
    last_error: sql`case when ${isSpent} then ${sql.lit(SPENT)} else last_error end`,
  };
}

/**
 * Defines a durable outbox. A row waits until it is due, one sender claims it, and the outcome either finishes it or makes it
 * wait again. Only the database decides who sends; queues and timers only say when to try.
 */
export function defineOutbox<Table extends OutboxTable>(
  table: Table,
  { claimLifetimeMs, backoff, isEdited = false, isRepeatable = false }: OutboxRules,
) {
  type Row = Selectable<Schema[Table]> & OutboxRow;
  type Change = OutboxChange & Omit<Updateable<Schema[Table]>, keyof OutboxColumns>;
  const isWaiting = isEdited ? statusIn(['pending', 'outdated']) : statusIn(['pending']);
  const isUnfinished = isEdited
    ? statusIn(['pending', 'sending', 'outdated'])
    : statusIn(['pending', 'sending']);
  const waitingStatus = isEdited
    ? sql<string>`case when sent_at is null then 'pending' else 'outdated' end`
    : sql.lit('pending');
  const once = isEdited ? sql<boolean>`sent_at is null` : sql<boolean>`1 = 1`;
  const onClaim = isRepeatable ? {} : uncertainOnClaim(once);
  const common = (db: Kysely<Schema>): Kysely<OutboxSchema> => db as unknown as Kysely<OutboxSchema>;
  const rows = (found: unknown): Row[] => found as Row[];

  /** Waiting and due, or claimed by a dead sender. */
  function isFree(now: number): RawBuilder<boolean> {
    const stamp = toIso(now);
    return sql`((${isWaiting} and due_at <= ${stamp}) or (status = 'sending' and claimed_until < ${stamp}))`;
  }

  /** Changes those of these rows whose claim is still that of `claim`. */
  const updateClaimed = (
    trx: Transaction<Schema>,
    { claim, ids }: { claim: Pick<OutboxRow, 'claimed_by' | 'attempts'>; ids: readonly string[] },
    change: object,
  ) =>
    common(trx)
      .updateTable(table as string)
      .set(change)
      .where('id', 'in', [...ids])
      .where('status', '=', 'sending')
      .where('claimed_by', '=', claim.claimed_by)
      .where('attempts', '=', claim.attempts)
      .returningAll()
      .execute();

  return {
    table,
    claimLifetimeMs,
    backoff,

    /** How often `renew` is called for a running attempt. */
    renewEveryMs: claimLifetimeMs / 3,

    /** Whether an attempt may be repeated that ended without an answer. */
    isRepeatable: ({ sent_at }: Pick<OutboxRow, 'sent_at'>): boolean =>
      isRepeatable || (isEdited && sent_at !== null),

    /** The outcome of a claimed row that may have been received twice, null for every other row. */
    outcomeOfSpent: ({ last_error }: Pick<OutboxRow, 'last_error'>) =>
      last_error === SPENT ? { kind: 'rejected' as const, reason: `${SPENT}; ${SENT_TWICE}` } : null,

    /** The common columns of a new row. A due row with an `owner` is claimed at once: the process that commits it sends it. */
    newRow({ dueAt, expiresAt, owner, now }: NewRow) {
      const claimed = owner !== null && dueAt <= now;
      return {
        // In the order of time, so that rows of one millisecond are sent in the order in which they were added.
        id: newOrderedId(now),
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

    /**
     * The columns of a finished row that is sent again, at once, because a person asks for it or what it says is true again.
     * The attempts so far count, and a message that may have been received stays uncertain.
     */
    again: ({ now, lifetimeMs }: { now: number; lifetimeMs: number }) => ({
      status: waitingStatus as RawBuilder<'pending'>,
      due_at: toIso(now),
      expires_at: toIso(now + lifetimeMs),
      updated_at: toIso(now),
    }),

    /**
     * A page of the rows that can be claimed and match `only`, the longest due first: at most `limit`, those after the row
     * `after` of an earlier page. Read-only.
     */
    async listDue(
      db: Kysely<Schema>,
      {
        now,
        limit = ROWS_PER_PAGE,
        only = {},
        after = null,
      }: { now: number; limit?: number; only?: object; after?: Pick<OutboxRow, 'id' | 'due_at'> | null },
    ): Promise<Row[]> {
      let due = common(db)
        .selectFrom(table as string)
        .selectAll()
        .where(isUnfinished)
        // Also true of claimed rows; it ends the scan of the index at the rows that wait.
        .where('due_at', '<=', toIso(now))
        .where(isFree(now));
      for (const [column, value] of Object.entries(only)) due = due.where(column, '=', value as string);
      if (after !== null)
        due = due
          .where('due_at', '>=', after.due_at)
          .where((where) => where.or([where('due_at', '>', after.due_at), where('id', '>', after.id)]));
      return rows(await due.orderBy('due_at').orderBy('id').limit(limit).execute());
    },

    /** How many rows `listDue` would list. */
    async countDue(db: Kysely<Schema>, now: number): Promise<number> {
      const { due } = await common(db)
        .selectFrom(table as string)
        .select(({ fn }) => fn.countAll().as('due'))
        .where(isUnfinished)
        .where('due_at', '<=', toIso(now))
        .where(isFree(now))
        .executeTakeFirstOrThrow();
      return Number(due);
    },

    /** Claims those of these rows that are due, unfinished and not being sent. */
    async claim(
      db: Kysely<Schema>,
      { ids, owner, now }: { ids: readonly string[]; owner: string; now: number },
    ): Promise<Row[]> {
      if (ids.length === 0) return [];
      const free = common(db)
        .selectFrom(table as string)
        .select('id')
        .where('id', 'in', [...ids])
        .where(isFree(now));
      /** One statement claims them all, so that one of them shows whether it was committed. */
      async function isClaimed([row]: readonly OutboxRow[]): Promise<boolean> {
        if (row === undefined) return true;
        const found = await common(db)
          .selectFrom(table as string)
          .select('id')
          .where('id', '=', row.id)
          .where('status', '=', 'sending')
          .where('claimed_by', '=', owner)
          .where('attempts', '=', row.attempts)
          .executeTakeFirst();
        return found !== undefined;
      }
      return inTransaction(
        db,
        async (trx) =>
          rows(
            await common(trx)
              .updateTable(table as string)
              .set({
                status: 'sending',
                claimed_by: owner,
                claimed_until: toIso(now + claimLifetimeMs),
                attempts: sql<number>`attempts + 1`,
                ...onClaim,
                updated_at: toIso(now),
              })
              .where('id', 'in', skipLocked(db, free))
              .returningAll()
              .execute(),
          ),
        'statement',
        { isCommitted: isClaimed },
      );
    },

    /** Extends the claim of a row that is being sent. A claim that was lost stays lost. */
    async renew(db: Kysely<Schema>, { row, now }: { row: Row; now: number }): Promise<void> {
      const change = { claimed_until: toIso(now + claimLifetimeMs) };
      await inTransaction(
        db,
        (trx) => updateClaimed(trx, { claim: row, ids: [row.id] }, change),
        'statement',
      );
    },

    /** Gives back a row that was claimed and whose attempt has not begun: it waits as before. */
    async giveBack(db: Kysely<Schema>, { row, now }: { row: Row; now: number }): Promise<void> {
      const change = {
        status: waitingStatus,
        claimed_by: null,
        claimed_until: null,
        attempts: row.attempts - 1,
        updated_at: toIso(now),
      };
      await inTransaction(
        db,
        (trx) => updateClaimed(trx, { claim: row, ids: [row.id] }, change),
        'statement',
      );
    },

    /** Writes the outcomes of attempts and releases claims, equal ones in one statement. The rows now, without lost claims. */
    async settle(
      trx: Transaction<Schema>,
      settlements: readonly Settlement<Row, Change>[],
      now: number,
    ): Promise<Row[]> {
      const groups = new Map<string, { claim: Row; change: Change; ids: string[] }>();
      for (const { row, change } of settlements) {
        const key = JSON.stringify([row.claimed_by, row.attempts, change]);
        const group = groups.get(key) ?? { claim: row, change, ids: [] };
        group.ids.push(row.id);
        groups.set(key, group);
      }
      const settled: Row[] = [];
      for (const { change, ...group } of groups.values()) {
        const released = { ...change, claimed_by: null, claimed_until: null, updated_at: toIso(now) };
        settled.push(...rows(await updateClaimed(trx, group, released)));
      }
      return settled;
    },

    /** The expiry of these rows as stored: a step of the wall clock may have moved it since the claim. */
    async readExpiries(db: Kysely<Schema>, ids: readonly string[]): Promise<Map<string, string>> {
      if (ids.length === 0) return new Map();
      const found = await common(db)
        .selectFrom(table as string)
        .select(['id', 'expires_at'])
        .where('id', 'in', [...ids])
        .execute();
      return new Map(found.map((row) => [row.id, row.expires_at]));
    },

    /** Expires the claims of dead daemons, so that the next sweep sends their rows. Returns how many. */
    async release(
      db: Kysely<Schema>,
      { owners, now }: { owners: readonly string[]; now: number },
    ): Promise<number> {
      if (owners.length === 0) return 0;
      const { numUpdatedRows } = await inTransaction(db, (trx) =>
        common(trx)
          .updateTable(table as string)
          .set({ claimed_until: toIso(now - 1) })
          .where('status', '=', 'sending')
          .where('claimed_by', 'in', [...owners])
          .executeTakeFirstOrThrow(),
      );
      return Number(numUpdatedRows);
    },

    /** Applies `move` to the times of every unfinished row. */
    async shiftTimes(trx: Transaction<Schema>, move: <T extends string | null>(time: T) => T): Promise<void> {
      const found = await common(trx)
        .selectFrom(table as string)
        .select(['id', 'due_at', 'expires_at', 'claimed_until'])
        .where(isUnfinished)
        .execute();
      for (const { id, due_at, expires_at, claimed_until } of found)
        await common(trx)
          .updateTable(table as string)
          .set({
            due_at: move(due_at),
            expires_at: move(expires_at),
            claimed_until: move(claimed_until),
          })
          .where('id', '=', id)
          .execute();
    },
  };
}

/** An outbox as `defineOutbox` makes it. */
export type Outbox<Table extends OutboxTable> = ReturnType<typeof defineOutbox<Table>>;
