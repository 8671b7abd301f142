import type { Viewer } from '#shared/accounts/account';
import { DomainError } from '#shared/errors';
import { describeCheck } from '#shared/monitor/describe-check';
import { requestCheck } from '#shared/monitor/request-check.server';
import { startMonitoring, stopMonitoring } from '#shared/monitor/start-stop';
import { serverContext } from '../../http/server/context.server';

async function checkNow(accountId: string): Promise<string> {
  const { db, queues, clock, config, limits } = serverContext();
  await limits.take([{ limit: 'checkNow', key: accountId }]);
  if (queues === null || config.redisUrl === null) {
    throw new DomainError('Unavailable', {
      code: 'check_failed',
      message: 'Failed to trigger check: no Redis is set up.',
    });
  }
  const check = await requestCheck({ db, queues, redisUrl: config.redisUrl, clock });
  return check === null
    ? 'The check takes longer than usual. Its result will show here when it ends.'
    : describeCheck(check);
}

/**
 * Works one of the monitor's switches for an admin. Returns what to tell them, null for a switch that does not
 * exist. Throws the switches' refusals.
 */
export async function workMonitorSwitch(intent: string | null, { account }: Viewer): Promise<string | null> {
  const { db, clock } = serverContext();
  const actor = { userId: account.id };
  switch (intent) {
    case 'start':
      return (await startMonitoring(db, { actor, clock })).message;
    case 'stop':
      return (await stopMonitoring(db, { actor, clock })).message;
    case 'check':
      return checkNow(account.id);
    default:
      return null;
  }
}
