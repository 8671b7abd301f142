import type { ServerResponse } from 'node:http';
import type { Logger } from '#shared/logger.server';
import { bindToRequest } from './request-context.server';

/** Logs one line when the response has ended: without the query, which may hold a token. */
export function logRequest(
  response: ServerResponse,
  { log, method, target }: { log: Logger; method: string; target: string },
): void {
  const startedAt = performance.now();
  const [path] = target.split('?', 1);
  const logLine = () =>
    log.info(
      {
        method,
        path,
        status: response.statusCode,
        ms: Math.round(performance.now() - startedAt),
        ...(response.writableFinished ? {} : { aborted: true }),
      },
      'request',
    );
  // A response emits its events outside of the request's context.
  response.once('close', bindToRequest(logLine));
}
