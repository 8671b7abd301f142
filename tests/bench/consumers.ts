import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { Pool } from 'undici';
import { createSession } from '#shared/accounts/sessions';
import { SECOND, systemClock } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import { newId } from '#shared/ids';
import { addBetaMember, giveTokens, subscribe } from '../paid-accounts';

export const PER_SECOND = 200;
/** Enough that no account meets the rate limit of a minute. */
export const MEMBERS = 60;
const TOKENS = 1_000;
const CONNECTIONS = 32;

/** Runs `work` at a steady rate, whatever the earlier runs do, and waits for all of them. `due` is in `performance.now()`. */
export async function atSteadyRate(
  seconds: number,
  work: (index: number, due: number) => Promise<void>,
): Promise<void> {
  const startedAt = performance.now();
  const running: Promise<void>[] = [];
  for (let index = 0; index < seconds * PER_SECOND; index += 1) {
    const due = startedAt + (index * SECOND) / PER_SECOND;
    const wait = due - performance.now();
    if (wait > 0) await sleep(wait);
    running.push(work(index, due));
  }
  await Promise.all(running);
}

/** Creates Pro members with enough tokens for a whole run. Returns their session tokens. */
async function createMembers(db: Database): Promise<string[]> {
  const tokens: string[] = [];
  for (let index = 0; index < MEMBERS; index += 1) {
    const id = await addBetaMember(db, {
      email: `member-${index}@packwatch.example`,
      username: `Member ${index}`,
    });
    await subscribe(db, id);
    await giveTokens(db, id, TOKENS);
    tokens.push((await createSession(db, { accountId: id, userAgent: null, clock: systemClock })).token);
  }
  return tokens;
}

/** Members of one database who consume tokens over HTTP. */
export interface Consumers {
  /** Consumes a token of a member at a web process. Returns false if the database was busy; throws for other refusals. */
  consume(origin: string, index: number): Promise<boolean>;
  /** Throws unless the ledgers have as many consumptions as there were answers, and sum up. */
  requireExactLedgers(): Promise<void>;
  close(): Promise<void>;
}

export async function createConsumers(db: Database): Promise<Consumers> {
  const members = await createMembers(db);
  const pools = new Map<string, Pool>();
  let consumed = 0;

  function poolOf(origin: string): Pool {
    const pool = pools.get(origin) ?? new Pool(origin, { connections: CONNECTIONS });
    pools.set(origin, pool);
    return pool;
  }

  return {
    async consume(origin, index) {
      const { statusCode, body } = await poolOf(origin).request({
        method: 'POST',
        path: '/api/tokens/consume',
        headers: {
          authorization: `Bearer ${members[index % MEMBERS]}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ taskId: newId() }),
      });
      const text = await body.text();
      if (statusCode === 503 && text.includes('database_busy')) return false;
      if (statusCode !== 200) throw new Error(`/api/tokens/consume answered ${statusCode}: ${text}`);
      consumed += 1;
      return true;
    },
    async requireExactLedgers() {
      const { total } = await db
        .selectFrom('token_ledger')
        .select(sql<number>`sum(tokens)`.as('total'))
        .executeTakeFirstOrThrow();
      if (total !== MEMBERS * TOKENS - consumed)
        throw new Error(`${consumed} tokens were consumed, but the ledgers sum to ${total}`);
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
    },
  };
}
