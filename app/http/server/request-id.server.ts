import { newId } from '#shared/ids';

/** Names one request in the answer, in the log and on error pages. Always ours: an inbound value is overwritten. */
export const REQUEST_ID_HEADER = 'x-request-id';

const issued = new WeakMap<Request, string>();

/** The id of a request; one is made for a request that did not come through the server (a test, the dev server). */
export function requestIdOf(request: Request): string {
  const known = request.headers.get(REQUEST_ID_HEADER) ?? issued.get(request);
  if (known !== undefined) return known;
  const id = newId();
  issued.set(request, id);
  return id;
}
