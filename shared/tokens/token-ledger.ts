import type { Selectable } from 'kysely';
import { toIso } from '../clock';
import { prepareQuery } from '../database/prepare-query';
import type { Database, Transaction } from '../database/schema';
import type { TokenLedgerTable } from '../database/tables/payments/tokens';
import { newId } from '../ids';

type Entry = Pick<Selectable<TokenLedgerTable>, 'kind' | 'tokens'> &
  Partial<Pick<Selectable<TokenLedgerTable>, 'task_id' | 'purchase_id' | 'source_id'>>;

type LastEntry = Pick<Selectable<TokenLedgerTable>, 'seq' | 'balance_after'>;

/** The last row of an account's ledger; undefined before its first. */
export async function findLastEntry(
  db: Database,
  { accountId }: { accountId: string },
): Promise<LastEntry | undefined> {
  return db
    .selectFrom('token_ledger')
    .select(['seq', 'balance_after'])
    .where('user_id', '=', accountId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The token balance of an account. Below zero after a refund or a dispute of tokens that were spent. */
export async function readBalance(db: Database, { accountId }: { accountId: string }): Promise<number> {
  return (await findLastEntry(db, { accountId }))?.balance_after ?? 0;
}

const insertEntry = prepareQuery((db, row: Selectable<TokenLedgerTable>) =>
  db.insertInto('token_ledger').values(row),
);

/** Appends a row to an account's ledger; the new balance. The database refuses a wrong sum. `last`: the last row, if read. */
export async function appendEntry(
  trx: Transaction,
  options: { accountId: string; entry: Entry; now: number; last?: LastEntry | undefined },
): Promise<number> {
  const { accountId, entry, now } = options;
  const last = options.last ?? (await findLastEntry(trx, { accountId }));
  const before = last?.balance_after ?? 0;
  const after = before + entry.tokens;
  await insertEntry(trx, {
    id: newId(),
    user_id: accountId,
    seq: (last?.seq ?? 0) + 1,
    previous_seq: last?.seq ?? null,
    kind: entry.kind,
    tokens: entry.tokens,
    balance_before: before,
    balance_after: after,
    task_id: entry.task_id ?? null,
    purchase_id: entry.purchase_id ?? null,
    source_id: entry.source_id ?? null,
    created_at: toIso(now),
  });
  return after;
}

/** The accounts whose balance is not the sum of their rows. The database refuses such rows; a damaged one may hold them. */
export async function listWrongBalances(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('token_ledger')
    .select('user_id')
    .groupBy('user_id')
    .having((expression) =>
      expression(
        expression.fn.sum<number>('tokens'),
        '<>',
        expression
          .selectFrom('token_ledger as newest')
          .select('newest.balance_after')
          .whereRef('newest.user_id', '=', 'token_ledger.user_id')
          .orderBy('newest.seq', 'desc')
          .limit(1),
      ),
    )
    .execute();
  return rows.map(({ user_id }) => user_id);
}

/** A row of an account's ledger, for admins. */
export interface ListedEntry {
  id: string;
  kind: TokenLedgerTable['kind'];
  /** Negative: taken. */
  tokens: number;
  balanceAfter: number;
  /** Why an admin granted them; null for other kinds. */
  reason: string | null;
  createdAt: string;
}

/** What causes the ledger's row of a grant. `id`: of the grant. */
export const grantSource = (id: string): string => `grant:${id}`;

/** The newest rows of an account's ledger, newest first. */
export async function listLedger(
  db: Database,
  { accountId, limit }: { accountId: string; limit: number },
): Promise<ListedEntry[]> {
  const entries = await db
    .selectFrom('token_ledger')
    .select(['id', 'kind', 'tokens', 'balance_after', 'source_id', 'created_at'])
    .where('user_id', '=', accountId)
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute();
  const grants = await db
    .selectFrom('token_grants')
    .select(['id', 'reason'])
    .where('user_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute();
  const reasons = new Map(grants.map(({ id, reason }) => [grantSource(id), reason]));
  return entries.map((entry) => ({
    id: entry.id,
    kind: entry.kind,
    tokens: entry.tokens,
    balanceAfter: entry.balance_after,
    reason: reasons.get(entry.source_id ?? '') ?? null,
    createdAt: entry.created_at,
  }));
}

/** The tokens that one task took. */
export interface TokenUse {
  id: string;
  taskId: string;
  /** 1 or 2. */
  tokens: number;
  createdAt: string;
}

/** The size of a list of uses. */
export const USAGE_LIMIT = { default: 50, max: 100 } as const;

/** The tasks of an account that took tokens, newest first. */
export async function listUsage(
  db: Database,
  { accountId, limit = USAGE_LIMIT.default }: { accountId: string; limit?: number },
): Promise<TokenUse[]> {
  const rows = await db
    .selectFrom('token_ledger')
    .select(['id', 'task_id', 'tokens', 'created_at'])
    .where('user_id', '=', accountId)
    .where('kind', '=', 'consume')
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ id, task_id, tokens, created_at }) => ({
    id,
    // The database refuses a `consume` without a task.
    taskId: task_id ?? '',
    tokens: -tokens,
    createdAt: created_at,
  }));
}
