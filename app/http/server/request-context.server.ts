import { AsyncLocalStorage } from 'node:async_hooks';
import { newId } from '#shared/ids';

/** What the server knows about a request beside the `Request` that Remix makes of it. */
export interface RequestContext {
  /** Names the request in its response, in the log and on error pages. */
  readonly id: string;
  /** Where it came from; see `readClientAddress`. */
  readonly clientAddress: string;
  /** Its method as it was sent: Remix routes seven, and gets `OPTIONS` for any other. */
  readonly method: string;
  /** Set when a locked database kept the request from its work; see `responseStatus`. */
  databaseBusy: boolean;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Runs `work` and everything that it awaits or starts within the context of one request. */
export function runInRequest<Result>(
  known: Pick<RequestContext, 'clientAddress' | 'method'> & { id?: string },
  work: () => Result,
): Result {
  return storage.run({ id: newId(), databaseBusy: false, ...known }, work);
}

/** `work` within the context of the current request, whenever it is called. (`AsyncResource.bind` costs far more.) */
export function bindToRequest(work: () => void): () => void {
  const request = storage.getStore();
  return request === undefined ? work : () => storage.run(request, work);
}

/** The request that the running code works for; undefined outside of one, such as in a timer of the process. */
export function currentRequest(): RequestContext | undefined {
  return storage.getStore();
}

/** The id of the current request; a new one outside of a request. */
export function currentRequestId(): string {
  return currentRequest()?.id ?? newId();
}

/** Fields of every line that is logged while a request is handled. */
export function requestLogFields(): { requestId?: string } {
  const request = currentRequest();
  return request === undefined ? {} : { requestId: request.id };
}
