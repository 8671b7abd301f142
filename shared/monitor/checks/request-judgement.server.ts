import type { Database } from '../../database/connection.server';
import type { Queues } from '../../queues/connection.server';
import type { Judgement } from './verdict';

/**
 * Has the daemon judge the stored page of a check with today's rules, and waits for the result; nothing is stored. Null
 * when the page is no longer stored. Throws `NotFound` for an unknown check and `Unavailable` while Redis or the daemon
 * is away.
 */
export function requestJudgement(
  _context: { db: Database; queues: Queues; redisUrl: string },
  _input: { checkId: string },
): Promise<Judgement | null> {
  throw new Error('not built yet');
}
