import { DomainError } from '../../../errors';
import { enqueueJudgement } from '../../../queues/enqueue';
import { requestFromDaemon, type DaemonRequestContext } from './daemon-request.server';
import { hasStoredPage } from '../stored-body.server';
import { judgementSchema, type Judgement } from '../verdict';

const FAILURE = { code: 'judgement_failed', sentence: 'Failed to judge the page' };

/**
 * Has the daemon judge the stored page of a check with today's rules, and waits for the result; nothing is stored. Only
 * the first 100 KB of a page are stored, so a longer one is judged by these. Null when the page is no longer stored.
 * Throws `NotFound` for an unknown check and `Unavailable` while Redis or the daemon is offline.
 */
export async function requestJudgement(
  context: DaemonRequestContext,
  { checkId }: { checkId: string },
): Promise<Judgement | null> {
  const stored = await hasStoredPage(context.db, checkId);
  if (stored === null)
    throw new DomainError('NotFound', { code: 'unknown_check', message: 'There is no check with this id.' });
  if (!stored) return null;
  const result = await requestFromDaemon(context, {
    addJob: (queues) => enqueueJudgement(queues, { checkId }),
    failure: FAILURE,
  });
  if (typeof result === 'object' && result !== null && 'judgement' in result)
    return judgementSchema.nullable().parse(result.judgement);
  throw new DomainError('Unavailable', {
    code: FAILURE.code,
    message: `${FAILURE.sentence}: the daemon did not answer in time.`,
  });
}
