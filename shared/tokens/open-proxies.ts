import { DAY, toIso } from '../clock';
import { deleteInBatches } from '../database/delete-in-batches';
import type { Database, Transaction } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import { ATTEMPT_WITH_PROXY_TOKENS, findConsumption } from './consume-tokens';
import { appendEntry, findLastEntry, readBalance } from './token-ledger';

/** Proxies that an account may have at a time whose tasks have not taken their tokens yet. */
const MAX_OPEN_PROXIES = 6;
/** A proxy whose task does not take its tokens within this time takes them itself. */
const OPEN_PROXY_LIFETIME_MS = DAY;
/** How long a closed assignment is kept, with its sealed proxy: a task may read its proxy again while it runs. */
export const CLOSED_PROXY_RETENTION_MS = DAY;

/** Assignments that are closed in one transaction. */
const CLOSE_AT_MOST = 100;

/**
 * Throws unless the account may open another proxy: `Conflict` `too_many_open_proxies`, or `InsufficientTokens` when its
 * balance does not cover the open ones and this one. Without it, anyone with Pro could list the whole pool for nothing.
 */
export async function requireRoomForProxy(
  trx: Transaction,
  { accountId }: { accountId: string },
): Promise<void> {
  const { open } = await trx
    .selectFrom('proxy_assignments')
    .select(({ fn }) => fn.countAll<number>().as('open'))
    .where('user_id', '=', accountId)
    .where('closed_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (open >= MAX_OPEN_PROXIES)
    throw new DomainError('Conflict', {
      code: 'too_many_open_proxies',
      message: `Your account has ${open} open proxies, which is the maximum. Finish one of their tasks first.`,
    });
  const needed = (Number(open) + 1) * ATTEMPT_WITH_PROXY_TOKENS;
  const balance = await readBalance(trx, { accountId });
  if (balance < needed)
    throw new DomainError('InsufficientTokens', {
      code: 'insufficient_tokens',
      message: `A task with a proxy uses ${ATTEMPT_WITH_PROXY_TOKENS} tokens. With your open proxies you need ${needed} tokens, but your balance is ${balance}. You can buy tokens on your dashboard.`,
    });
}

/** Takes the tokens of a task that never took them, as far as the balance goes: the proxy was handed out. */
async function closeUnused(
  trx: Transaction,
  { accountId, taskId }: { accountId: string; taskId: string },
  now: number,
): Promise<void> {
  const consumed = await findConsumption(trx, { accountId, taskId });
  const last = await findLastEntry(trx, { accountId });
  const tokens = Math.min(ATTEMPT_WITH_PROXY_TOKENS, Math.max(0, last?.balance_after ?? 0));
  if (consumed === null && tokens > 0) {
    const entry = { kind: 'consume', tokens: -tokens, task_id: taskId } as const;
    await appendEntry(trx, { accountId, entry, now, last });
  }
  await trx
    .updateTable('proxy_assignments')
    .set({ closed_at: toIso(now) })
    .where('user_id', '=', accountId)
    .where('task_id', '=', taskId)
    .execute();
}

async function closeDue(db: Database, now: number): Promise<number> {
  return inTransaction(db, async (trx) => {
    const due = await trx
      .selectFrom('proxy_assignments')
      .select(['user_id as accountId', 'task_id as taskId'])
      .where('closed_at', 'is', null)
      .where('created_at', '<=', toIso(now - OPEN_PROXY_LIFETIME_MS))
      .orderBy('created_at')
      .limit(CLOSE_AT_MOST)
      .execute();
    for (const task of due) await closeUnused(trx, task, now);
    return due.length;
  });
}

/**
 * Closes the proxies that were not used within a day, which then cost what a used one costs, and deletes closed ones a day
 * later, with their sealed credentials. Returns how many it deleted. `now`: epoch ms.
 */
export async function endOldProxies(db: Database, now: number): Promise<number> {
  while ((await closeDue(db, now)) === CLOSE_AT_MOST);
  const end = toIso(now - CLOSED_PROXY_RETENTION_MS);
  return deleteInBatches(db, (trx, limit) =>
    trx
      .deleteFrom('proxy_assignments')
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('user_id', 'task_id'),
          'in',
          selectFrom('proxy_assignments')
            .select(['user_id', 'task_id'])
            .where('closed_at', '<', end)
            .limit(limit)
            .$asTuple('user_id', 'task_id'),
        ),
      ),
  );
}

/** The number of the account's next proxy, counted from 1. One row of an index, however many it had. */
export async function nextOrdinal(db: Database, { accountId }: { accountId: string }): Promise<number> {
  const last = await db
    .selectFrom('proxy_assignments')
    .select('ordinal')
    .where('user_id', '=', accountId)
    .orderBy('ordinal', 'desc')
    .limit(1)
    .executeTakeFirst();
  return (last?.ordinal ?? 0) + 1;
}
