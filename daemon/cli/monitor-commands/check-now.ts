import { systemClock } from '#shared/clock';
import type { Config } from '#shared/config.server';
import type { Database } from '#shared/database/connection.server';
import { describeCheck } from '#shared/monitor/checks/reading/checks';
import { requestCheck } from '#shared/monitor/checks/requests/request-check.server';
import { connectQueues } from '#shared/queues/connection.server';
import { DomainError } from '#shared/errors';
import type { CommandOutput } from '../terminal';
import { terminalLine } from '#shared/terminal-text';

/** `check`: requests a check from the daemon and waits for its verdict. */
export async function checkNow(db: Database, config: Config, watchId: string): Promise<CommandOutput> {
  if (config.redisUrl === null) {
    throw new DomainError('Unavailable', {
      code: 'queue_unavailable',
      message: 'Failed to trigger check: REDIS_URL is not set and no "npm start" is running.',
    });
  }
  const queues = connectQueues(config.redisUrl);
  try {
    const check = await requestCheck({ db, queues, redisUrl: config.redisUrl, clock: systemClock, watchId });
    if (check === null)
      return {
        lines: ['The check takes longer than usual. "npm run monitor -- status" shows its result later.'],
        json: { success: true, queued: true },
      };
    const { raw_response: _page, ...shown } = check;
    return { lines: [terminalLine(describeCheck(check))], json: { success: true, check: shown } };
  } finally {
    await queues.close();
  }
}
