import { randomInt } from 'node:crypto';
import { isPortFree } from '../scripts/processes/sandbox-process.mjs';

/** Below the ports that Linux uses for outgoing connections (32768 and above), which could take a free one. */
const FIRST = 11_000;
const PER_WORKER = 1_000;
const WORKERS = 20;

const given = new Set<number>();

/** A free port that no other call in this process and no other worker of the run gets. */
export async function freePort(): Promise<number> {
  const worker = Number(process.env.TEST_WORKER_INDEX ?? process.env.VITEST_POOL_ID ?? 0) % WORKERS;
  for (;;) {
    const port = FIRST + worker * PER_WORKER + randomInt(PER_WORKER);
    if (given.has(port) || !(await isPortFree(port))) continue;
    given.add(port);
    return port;
  }
}
