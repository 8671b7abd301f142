import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE } from '#shared/clock';
import { readEventBacklog } from '#shared/billing/event-backlog';
import type { Database } from '#shared/database/connection.server';
import { openSqliteDatabase } from '#shared/database/sqlite/sqlite-database.server';
import { createStripe } from '#shared/payments/stripe-client.server';
import { auditBuyer } from './audit-buyer';
import { addBuyer, buy, type Bought, type Good } from './buyer';
import { startKillableStack, VICTIMS, type KillableStack, type Victim } from './killable-stack';

/** What is bought at the same time in each round, by a member each. */
const BASKET: readonly Good[] = ['tokens', 'subscription', 'tokens'];
/** A purchase without faults takes less, so a later kill would have no effect. */
const KILL_WITHIN_MS = 1_000;
const BACKLOG_WITHIN_MS = 2 * MINUTE;

export interface PaymentFaults {
  rounds: number;
  kills: Record<Victim, number>;
  /** Rounds in which a purchase was unfinished at the moment of the kill. */
  hits: number;
  purchases: number;
  /** Requests of members that failed and were repeated. */
  retries: number;
  /** Purchases whose goods did not arrive. */
  missing: number;
  /** Milliseconds of the slowest purchase, by the process that was killed during it. */
  slowestMs: Record<Victim, number>;
  /** A sentence for everything that was lost, doubled or not applied. */
  faults: string[];
}

/** Waits until every event is applied. Returns a sentence when some are not, or have failed. */
async function untilApplied(db: Database): Promise<string[]> {
  for (const end = performance.now() + BACKLOG_WITHIN_MS; ; await sleep(200)) {
    const { oldestSince, failed } = await readEventBacklog(db);
    if (failed > 0) return [`${failed} events were given up`];
    if (oldestSince === null) return [];
    if (performance.now() > end) return ['some events are not applied'];
  }
}

/** Lets members buy, and kills one process at a random moment. */
async function playRound(
  stack: KillableStack,
  db: Database,
  victim: Victim,
): Promise<{ bought: Bought[]; hit: boolean }> {
  const buyers = await Promise.all(BASKET.map((good) => addBuyer(db, good)));
  const killAfterMs = randomInt(KILL_WITHIN_MS);
  const killing = sleep(killAfterMs).then(() => stack.killAndRestart(victim));
  const bought = await Promise.all(buyers.map((buyer) => buy(stack, buyer)));
  await killing;
  return { bought, hit: bought.some(({ tookMs }) => tookMs === null || tookMs > killAfterMs) };
}

/**
 * Plays `rounds` rounds in which members buy while web, daemon or Redis is killed (SIGKILL) at a random moment and
 * started again. Then compares, per member, Stripe's charges with the goods in the database.
 */
export async function measurePaymentFaults(rounds: number): Promise<PaymentFaults> {
  const stack = await startKillableStack();
  const db = openSqliteDatabase(join(stack.dataDir, 'packwatch.db'));
  const { stripeSecretKey, stripeApiUrl } = stack.sandbox;
  const stripe = createStripe({ secretKey: stripeSecretKey, apiUrl: stripeApiUrl });
  const kills = { web: 0, daemon: 0, redis: 0 };
  const slowestMs = { web: 0, daemon: 0, redis: 0 };
  const bought: Bought[] = [];
  let hits = 0;
  try {
    for (let round = 0; round < rounds; round += 1) {
      const victim = VICTIMS[round % VICTIMS.length] ?? 'web';
      kills[victim] += 1;
      const played = await playRound(stack, db, victim);
      bought.push(...played.bought);
      const slowest = Math.max(...played.bought.map(({ tookMs }) => tookMs ?? 0));
      slowestMs[victim] = Math.round(Math.max(slowestMs[victim], slowest));
      if (played.hit) hits += 1;
    }
    const faults = await untilApplied(db);
    for (const { buyer, refusal } of bought) {
      if (refusal !== null) faults.push(`${buyer.email}: ${refusal}`);
      faults.push(...(await auditBuyer(db, stripe, buyer)));
    }
    return {
      rounds,
      kills,
      hits,
      purchases: bought.length,
      retries: bought.reduce((sum, one) => sum + one.retries, 0),
      missing: bought.filter(({ tookMs }) => tookMs === null).length,
      slowestMs,
      faults,
    };
  } finally {
    await db.destroy();
    await stack.stop();
  }
}

export function showPaymentFaults({
  rounds,
  kills,
  hits,
  purchases,
  retries,
  missing,
  slowestMs,
  faults,
}: PaymentFaults): string[] {
  const by = (figure: (victim: Victim) => string | number) =>
    VICTIMS.map((victim) => `${victim} ${figure(victim)}`).join(', ');
  return [
    `${rounds} rounds of kill -9 (${by((victim) => kills[victim])}) during ${purchases} purchases: ${missing} not delivered, ${faults.length} lost, doubled or not applied`,
    `  killed before the last purchase was finished: ${hits} rounds; requests that failed and were repeated: ${retries}`,
    `  the slowest purchase by what was killed: ${by((victim) => `${Math.round(slowestMs[victim] / 100) / 10} s`)}`,
    ...faults.slice(0, 20).map((fault) => `  ${fault}`),
  ];
}
