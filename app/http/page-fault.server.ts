import { isBusy } from '#shared/database/database-errors';
import { BUSY_RETRY_SECONDS } from './failures.server';
import { serverContext } from './server/context.server';
import { currentRequest } from './server/request-context.server';

/**
 * Logs why a page, or a form of one, failed. A database that stays locked is no bug: it is logged as a warning, and the
 * response gets its status from `answerStatus`. An action's result cannot carry the status: the same result is what the
 * page shows.
 */
export function notePageFault(
  _request: Request,
  error: unknown,
  { message, ...fields }: { message: string; intent?: string },
): void {
  const { log } = serverContext();
  if (isBusy(error)) {
    const request = currentRequest();
    if (request !== undefined) request.databaseBusy = true;
    log.warn({ ...fields, err: error }, message);
  } else {
    log.error({ ...fields, err: error }, message);
  }
}

/** The status of a page's response: 503 with a Retry-After in `headers` when the request met a locked database. */
export function answerStatus(status: number, headers: Headers): number {
  if (currentRequest()?.databaseBusy !== true) return status;
  headers.set('Retry-After', String(BUSY_RETRY_SECONDS));
  return 503;
}
