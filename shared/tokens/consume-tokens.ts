import { sql } from 'kysely';
import { toIso, type Clock } from '../clock';
import { prepareQuery } from '../database/prepare-query';
import type { Database } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import { appendEntry } from './token-ledger';
import { z } from 'zod';

/** Longer than any id that a client makes up, such as a UUID with the name of a shop. */
const MAX_TASK_ID_LENGTH = 100;
const RULE = `taskId is a text of 1 to ${MAX_TASK_ID_LENGTH} characters.`;

/** The id that a client gives to a checkout attempt. Visible ASCII, so that ids that look the same are the same. */
export const taskIdField = z
  .string({ error: ({ input }) => (input === undefined ? 'taskId is required.' : RULE) })
  .min(1, RULE)
  .max(MAX_TASK_ID_LENGTH, RULE)
  .regex(/^[\x21-\x7e]*$/, 'taskId has no spaces and only ASCII characters.')
  .describe('Names one checkout attempt. Chosen by the client, for example a UUID.');

/** What a checkout attempt takes (decisions.md, Beta, tiers, desktop access). */
const ATTEMPT_TOKENS = 1;
export const ATTEMPT_WITH_PROXY_TOKENS = 2;

interface Task {
  accountId: string;
  taskId: string;
}

export interface Consumption {
  /** The tokens that the task took. */
  consumed: number;
  /** The balance right after they were taken. */
  balance: number;
}

/** What a task has taken; null before it has. */
export async function findConsumption(
  db: Database,
  { accountId, taskId }: Task,
): Promise<Consumption | null> {
  const row = await db
    .selectFrom('token_ledger')
    .select(['tokens', 'balance_after'])
    .where('user_id', '=', accountId)
    .where('task_id', '=', taskId)
    .where('kind', '=', sql.lit('consume'))
    .executeTakeFirst();
  return row === undefined ? null : { consumed: -row.tokens, balance: row.balance_after };
}

function insufficientTokens(price: number, balance: number): DomainError {
  const takes = price === 1 ? 'takes 1 token' : `takes ${price} tokens`;
  return new DomainError('InsufficientTokens', {
    code: 'insufficient_tokens',
    message: `This attempt ${takes}, and your balance is ${balance}. You can buy tokens on your dashboard.`,
  });
}

/** What a task has taken, its proxy, and the last row of the account's ledger: one row, read in one round trip. */
const selectBefore = prepareQuery((db, { accountId, taskId }: Task) =>
  db
    .selectFrom('users')
    .leftJoin('token_ledger as earlier', (join) =>
      join
        .onRef('earlier.user_id', '=', 'users.id')
        .on('earlier.task_id', '=', taskId)
        .on('earlier.kind', '=', sql.lit('consume')),
    )
    .leftJoin('proxy_assignments as proxy', (join) =>
      join.onRef('proxy.user_id', '=', 'users.id').on('proxy.task_id', '=', taskId),
    )
    .leftJoin('token_ledger as last', (join) =>
      join.onRef('last.user_id', '=', 'users.id').on('last.seq', '=', (from) =>
        from
          .selectFrom('token_ledger as row')
          .select(({ fn }) => fn.max('row.seq').as('seq'))
          .whereRef('row.user_id', '=', 'users.id'),
      ),
    )
    .select([
      'earlier.tokens',
      'earlier.balance_after as balance',
      'proxy.task_id as proxyTask',
      'last.seq',
      'last.balance_after as lastBalance',
    ])
    .where('users.id', '=', accountId),
);

/**
 * Takes the tokens of a task from the balance: 1, or 2 when a managed proxy was issued for it. For a task that has taken
 * its tokens already, takes nothing and returns what it returned the first time, `balance` included. A refusal writes
 * nothing: the same task may try again after a purchase. Throws `InsufficientTokens`. Inside another transaction it joins
 * that one.
 */
export async function consumeTokens(
  db: Database,
  { accountId, taskId, clock }: Task & { clock: Clock },
): Promise<Consumption> {
  return inTransaction(
    db,
    async (trx) => {
      const [before] = await selectBefore(trx, { accountId, taskId });
      if (before?.tokens && before.balance !== null)
        return { consumed: -before.tokens, balance: before.balance };
      const hasProxy = Boolean(before?.proxyTask);
      const price = hasProxy ? ATTEMPT_WITH_PROXY_TOKENS : ATTEMPT_TOKENS;
      const last = before?.seq ? { seq: before.seq, balance_after: before.lastBalance ?? 0 } : undefined;
      const balance = last?.balance_after ?? 0;
      if (balance < price) throw insufficientTokens(price, balance);
      const now = clock.now();
      const entry = { kind: 'consume', tokens: -price, task_id: taskId } as const;
      if (hasProxy)
        await trx
          .updateTable('proxy_assignments')
          .set({ closed_at: toIso(now) })
          .where('user_id', '=', accountId)
          .where('task_id', '=', taskId)
          .execute();
      return { consumed: price, balance: await appendEntry(trx, { accountId, entry, now, last }) };
    },
    { account: accountId },
  );
}
