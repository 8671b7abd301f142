import { Redis } from 'ioredis';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock, MINUTE, SECOND } from '#shared/clock';
import { openSqliteDatabase } from '#shared/database/sqlite/sqlite-database.server';
import { requestCheck } from '#shared/monitor/checks/requests/daemon-request.server';
import { connectQueues } from '#shared/queues/connection.server';
import { startStack, type Stack } from '../e2e/stack';
import { residentMiB } from './resident-memory';

const RESTARTS = 50;
const CHECK_EVERY_MS = SECOND;
const COLLECT_EVERY_MS = SECOND / 2;
/** The shop changes its state after so many checks, so that alerts open, are sent and close throughout. */
const CHECKS_PER_STATE = 20;
const STATES = ['open', 'imperva-room', 'open', 'bot-wall'] as const;

/** Web and daemon collect garbage twice a second, whether or not V8 would. */
const FORCED_COLLECTIONS = `--expose-gc --import=data:text/javascript,setInterval(globalThis.gc,${COLLECT_EVERY_MS}).unref()`;

export interface Soak {
  restarts: { rounds: number; exitCodes: Record<string, number> };
  soak: {
    minutes: number;
    checks: number;
    messages: number;
    sameProcesses: boolean;
    exitCodes: Record<string, number | null>;
  };
  /** Resident memory of the daemon in MiB. */
  daemonMemory: { afterAMinute: number; atTheEnd: number };
}

async function emptyRedis(redisUrl: string): Promise<void> {
  const redis = new Redis(redisUrl);
  await redis.flushdb();
  await redis.quit();
}

async function showShop({ sandbox }: Stack, mode: string): Promise<void> {
  const answer = await fetch(`${sandbox.origin}/control/shop`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ mode }),
  });
  if (!answer.ok) throw new Error(`the sandbox refused the mode ${mode}: ${await answer.text()}`);
}

async function countMessages({ sandbox }: Stack): Promise<number> {
  const answer = await fetch(`${sandbox.origin}/control/messages`);
  return ((await answer.json()) as { messages: unknown[] }).messages.length;
}

/** Starts and stops web and daemon fifty times. Counts exit codes by process. */
async function restart(redisUrl: string): Promise<Soak['restarts']> {
  const exitCodes: Record<string, number> = {};
  for (let round = 0; round < RESTARTS; round += 1) {
    await emptyRedis(redisUrl);
    const codes = await (await startStack(redisUrl)).stop();
    for (const name of ['web', 'daemon']) {
      const key = `${name}: ${codes[name]}`;
      exitCodes[key] = (exitCodes[key] ?? 0) + 1;
    }
  }
  return { rounds: RESTARTS, exitCodes };
}

/**
 * Starts and stops web and daemon fifty times, then lets them run for `minutes` with a check every second, forced garbage
 * collections and alerts that come and go.
 */
export async function measureSoak(redisUrl: string, minutes: number): Promise<Soak> {
  const restarts = await restart(redisUrl);
  await emptyRedis(redisUrl);
  const stack = await startStack(redisUrl, { nodeOptions: FORCED_COLLECTIONS });
  const pids = stack.pids();
  const db = openSqliteDatabase(join(stack.dataDir, 'packwatch.db'));
  const queues = connectQueues(redisUrl);
  let afterAMinute = 0;
  let checks = 0;
  try {
    for (const end = performance.now() + minutes * MINUTE; performance.now() < end; checks += 1) {
      const started = performance.now();
      if (checks % CHECKS_PER_STATE === 0)
        await showShop(stack, STATES[(checks / CHECKS_PER_STATE) % STATES.length] ?? 'open');
      await requestCheck({ db, queues, redisUrl, clock: systemClock });
      if (checks === MINUTE / CHECK_EVERY_MS) afterAMinute = residentMiB(pids.daemon);
      await sleep(Math.max(0, CHECK_EVERY_MS - (performance.now() - started)));
    }
    const daemonMemory = { afterAMinute, atTheEnd: residentMiB(pids.daemon) };
    const messages = await countMessages(stack);
    const sameProcesses = JSON.stringify(stack.pids()) === JSON.stringify(pids);
    const exitCodes = await stack.stop();
    return { restarts, soak: { minutes, checks, messages, sameProcesses, exitCodes }, daemonMemory };
  } finally {
    queues.redis.disconnect();
    await db.destroy();
    await stack.stop();
  }
}

export function showSoak({ restarts, soak, daemonMemory }: Soak): string[] {
  const codes = (counts: Record<string, number | null>) =>
    Object.entries(counts)
      .map(([name, value]) => `${name} (${value})`)
      .join(', ');
  return [
    `${restarts.rounds} starts and stops of web and daemon, exit codes and how often: ${codes(restarts.exitCodes)}`,
    `Soak of ${soak.minutes} minutes, a check every second, collections every ${COLLECT_EVERY_MS} ms: ${soak.checks} checks, ${soak.messages} messages`,
    `  the same processes from start to end: ${soak.sameProcesses ? 'yes' : 'NO'}; exit codes: ${codes(soak.exitCodes)}`,
    `  memory of the daemon: ${daemonMemory.afterAMinute} MiB after a minute, ${daemonMemory.atTheEnd} MiB at the end`,
  ];
}
