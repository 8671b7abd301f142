import { fromIso, SECOND, type Clock } from '#shared/clock';
import type { Config } from '#shared/config.server';
import type { Database } from '#shared/database/schema';
import { LEASE_LIFETIME_MS } from '#shared/monitor/checks/check-lease';
import { readDaemonStatus } from '#shared/monitor/heartbeat';
import { monitorOperations } from '#shared/monitor/monitor-operations';
import { readWatch } from '#shared/monitor/watches/watches';
import { connectQueues } from '#shared/queues/connection.server';
import { DomainError } from '#shared/errors';
import { formatTime } from '../local-time';
import { runOperation } from '../run-operation';
import type { CommandOutput, Note } from '../terminal';
import { COMMAND_PATIENCE_MS } from '../with-queues';
import { terminalLine } from '#shared/terminal-text';

const WAIT_MS = 30 * SECOND;

/** Why the daemon has not finished the check that was requested. */
async function explainDelay(
  db: Database,
  now: number,
  { watchId, redisIsReady }: { watchId: string; redisIsReady: boolean },
): Promise<string> {
  const daemon = await readDaemonStatus(db, now);
  if (!daemon.online) return 'the daemon is not running any more.';
  if (daemon.redisFault !== null) return daemon.redisFault;
  if (!redisIsReady) return 'Redis does not answer.';
  const { lease_until: until } = await readWatch(db, watchId);
  if (until === null || fromIso(until) <= now)
    return 'the daemon has not begun the check: it is busy with other jobs.';
  const since = new Date(fromIso(until) - LEASE_LIFETIME_MS).toISOString();
  return `a check of this watch has had the lease since ${formatTime(since)}, and the shop has not answered it yet.`;
}

/**
 * `check`: requests a check from the daemon and waits up to 30 seconds for its verdict. Throws `Unavailable` with the reason
 * when there is none. `waitMs`: the limit.
 */
export async function checkNow(
  { db, clock }: { db: Database; clock: Clock },
  config: Config,
  { watchId, note, waitMs = WAIT_MS }: { watchId: string; note: Note; waitMs?: number },
): Promise<CommandOutput> {
  if (config.redisUrl === null) {
    throw new DomainError('Unavailable', {
      code: 'queue_unavailable',
      message: 'Failed to trigger check: REDIS_URL is not set and no "npm start" is running.',
    });
  }
  const { redisUrl } = config;
  const queues = connectQueues(redisUrl, { callTimeoutMs: COMMAND_PATIENCE_MS });
  note(`Waiting for the check, at most ${waitMs / SECOND} seconds …`);
  try {
    const context = { db, queues, redisUrl, clock, waitMs };
    const { result: check, message } = await runOperation(monitorOperations.check, context, { watchId });
    if (check === null) {
      const reason = await explainDelay(db, clock.now(), {
        watchId,
        redisIsReady: queues.isReady(),
      });
      throw new DomainError('Unavailable', {
        code: 'check_pending',
        message: `No result after ${waitMs / SECOND} seconds: ${reason} "npm run monitor -- status" shows the result once there is one.`,
      });
    }
    const { raw_response: _page, ...shown } = check;
    return { lines: [terminalLine(message)], json: { success: true, check: shown } };
  } finally {
    await queues.close();
  }
}
