import { DEFAULT_WATCH_ID } from '../../../brand';
import { enqueueCheck } from '../../../queues/enqueue';
import { findCheck, type MonitorCheck } from '../reading/checks';
import { requestFromDaemon, type DaemonRequestContext } from './daemon-request.server';

/**
 * Requests a check of a watch from the daemon and waits for it. Returns null when it takes longer than `waitMs`.
 * Concurrent requests share one check. Throws `Unavailable` when Redis or the daemon is offline.
 */
export async function requestCheck({
  watchId = DEFAULT_WATCH_ID,
  ...context
}: DaemonRequestContext & { watchId?: string }): Promise<MonitorCheck | null> {
  const { db, clock } = context;
  const result = await requestFromDaemon(context, {
    addJob: (queues) => enqueueCheck(queues, { watchId, trigger: 'manual', requestedAt: clock.now() }),
    failure: { code: 'check_failed', sentence: 'Failed to trigger check' },
  });
  if (typeof result !== 'object' || result === null || !('checkId' in result)) return null;
  return findCheck(db, String(result.checkId));
}
