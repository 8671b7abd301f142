import { AsyncResource } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import type { Logger } from '#shared/logger.server';

/** Logs one line when the response has ended: without the query, which may hold a token. */
export function logRequest(
  response: ServerResponse,
  { log, method, target }: { log: Logger; method: string; target: string },
): void {
  const startedAt = performance.now();
  const [path] = target.split('?', 1);
  // Bound to the request: events of a response are emitted outside of its context.
  const logLine = AsyncResource.bind(() =>
    log.info(
      {
        method,
        path,
        status: response.statusCode,
        ms: Math.round(performance.now() - startedAt),
        ...(response.writableFinished ? {} : { aborted: true }),
      },
      'request',
    ),
  );
  response.once('close', logLine);
}
