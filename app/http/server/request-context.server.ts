import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import { newId } from '#shared/ids';
import type { Logger } from '#shared/logger.server';
import { wideNetworkOf } from './client-network.server';

/** Facts about the current request that are not in the `Request` object that Remix creates. */
export interface RequestContext {
  /** Appears in the response header X-Request-Id, in every log line and on error pages. */
  readonly id: string;
  /** See `readClientAddress`. */
  readonly clientAddress: string;
  /** The method that the client sent. Remix sees OPTIONS instead of a method that it does not route. */
  readonly method: string;
  /** The response of the server; undefined if there is none, as in tests of a loader. */
  readonly response?: ServerResponse;
  /** Set when the request met a fault of the database; see `responseStatus`. */
  databaseFailed: boolean;
  /** The account of the request's session or sign-in; null while unknown. */
  accountId: string | null;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Runs `work`, and everything that it awaits or starts, in the context of one request. */
export function runInRequest<Result>(
  facts: Pick<RequestContext, 'clientAddress' | 'method' | 'response'> & { id?: string },
  work: () => Result,
): Result {
  return storage.run({ id: newId(), databaseFailed: false, accountId: null, ...facts }, work);
}

/** The context of the current request; undefined outside of a request, for example in a timer. */
export function currentRequest(): RequestContext | undefined {
  return storage.getStore();
}

/** The id of the current request; a new one outside of a request. */
export function currentRequestId(): string {
  return currentRequest()?.id ?? newId();
}

/** The client's address of the current request; empty outside of a request. */
export function clientAddress(): string {
  return currentRequest()?.clientAddress ?? '';
}

/** Records whose request this is, for the log. */
export function noteAccount(accountId: string): void {
  const request = currentRequest();
  if (request !== undefined) request.accountId = accountId;
}

interface RequestLogFields {
  requestId: string;
  /** An IPv4 /24 or an IPv6 /48: enough to find and block a flood. */
  network: string;
  accountId?: string;
}

/** The fields that the logger adds to every line of a request; nothing else identifies the visitor. */
export function requestLogFields(): RequestLogFields | Record<string, never> {
  const request = currentRequest();
  if (request === undefined) return {};
  const { id, clientAddress: address, accountId } = request;
  return { requestId: id, network: wideNetworkOf(address), ...(accountId !== null && { accountId }) };
}

/** Logs one line when the response has ended. It omits the query, which may hold a token. */
export function logRequest(
  response: ServerResponse,
  { log, method, target }: { log: Logger; method: string; target: string },
): void {
  const startedAt = performance.now();
  const [path] = target.split('?', 1);
  const request = storage.getStore();
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
  // A response emits `close` outside of its request's context. (`AsyncResource.bind` costs far more.)
  response.once('close', request === undefined ? logLine : () => storage.run(request, logLine));
}
