import { LRUCache } from 'lru-cache';
import { isBusy } from '#shared/database/database-errors';
import { BUSY_RETRY_SECONDS } from './failures.server';
import { requestIdOf } from './server/request-id.server';
import { serverContext } from './server/context.server';

/** Requests that met a locked database and are not answered yet, by their ids. Bounded, since some end without an answer. */
const busyRequests = new LRUCache<string, true>({ max: 1_000 });

/**
 * Logs what kept a page, or a form of one, from its work. A database that stays locked is no bug: it is logged as a
 * warning, and the answer gets its status by `answerStatus`. An action's result cannot carry the status: the same result
 * is what the page shows.
 */
export function notePageFault(
  request: Request,
  error: unknown,
  { message, ...fields }: { message: string; intent?: string },
): void {
  const requestId = requestIdOf(request);
  const { log } = serverContext();
  if (isBusy(error)) {
    busyRequests.set(requestId, true);
    log.warn({ requestId, ...fields, err: error }, message);
  } else {
    log.error({ requestId, ...fields, err: error }, message);
  }
}

/** The status of a page's answer, which is 503 with a Retry-After in `headers` when its request met a locked database. */
export function answerStatus(request: Request, status: number, headers: Headers): number {
  if (!busyRequests.delete(requestIdOf(request))) return status;
  headers.set('Retry-After', String(BUSY_RETRY_SECONDS));
  return 503;
}
