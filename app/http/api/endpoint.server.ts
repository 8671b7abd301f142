import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { matchRoutes } from '@remix-run/react';
import { isBusy } from '#shared/database/database-errors';
import { DomainError } from '#shared/errors';
import type { Logger } from '#shared/logger.server';
import { decideAccess } from '../auth/access.server';
import { bugFailure, busyFailure, failureOf, HttpRefusal } from '../server/failures.server';
import { currentRequest, currentRequestId } from '../server/request-context.server';
import { serverContext } from '../server/context.server';
import type { Call, CallEdge } from './call.server';
import { failureAnswer } from './response.server';

export const API_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type ApiMethod = (typeof API_METHODS)[number];

/** The calls of a group by path, such as `/api/news/{id}`, and by method. */
export type ApiPaths = Readonly<Record<string, Partial<Record<ApiMethod, Call>>>>;

/** A group of calls: one file of `routes/api`, one tag of the OpenAPI document. */
export interface ApiGroup {
  name: string;
  description: string;
  paths: ApiPaths;
}

/**
 * The `loader` and `action` of a group's resource route. It carries the group for the OpenAPI document, because a route
 * module must export nothing else.
 */
export interface ApiHandler {
  (args: LoaderFunctionArgs | ActionFunctionArgs): Promise<Response>;
  readonly group: ApiGroup;
}

/** What `endpoint` uses of the server; tests pass their own. */
interface EndpointEdge extends CallEdge {
  log(): Pick<Logger, 'warn' | 'error'>;
}

const liveEdge: EndpointEdge = {
  decide: decideAccess,
  takeLimits: (uses) => serverContext().limits.take(uses),
  log: () => serverContext().log,
};

function unknownPath(): HttpRefusal {
  return new HttpRefusal({
    status: 404,
    code: 'not_found',
    message: 'There is no such call in this API. /api/openapi.json lists them all.',
  });
}

/** The value of an `Allow` header. */
function allowedMethods(calls: ApiPaths[string]): string {
  const methods = API_METHODS.filter((method) => calls[method] !== undefined);
  return [...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'].join(
    ', ',
  );
}

function unknownMethod(method: string, allow: string): HttpRefusal {
  return new HttpRefusal({
    status: 405,
    code: 'method_not_allowed',
    message: `${method} is not possible here. Use one of: ${allow}.`,
    headers: { Allow: allow },
  });
}

/**
 * Makes the resource route of a group of calls. It answers everything in JSON: successes, refusals, unknown paths (404),
 * unknown methods (405), and bugs (logged, without detail). Paths match as Remix matches its own: letter case and a
 * trailing slash do not count, and a path without parameters goes before one with parameters.
 */
export function endpoint(
  { name, description }: Omit<ApiGroup, 'paths'>,
  paths: ApiPaths,
  edge: EndpointEdge = liveEdge,
): ApiHandler {
  const routes = Object.entries(paths).map(([path, calls]) => ({
    path: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    calls,
  }));

  async function answer(request: Request): Promise<Response> {
    const match = matchRoutes(routes, new URL(request.url).pathname)?.[0];
    if (match === undefined) throw unknownPath();
    const { calls } = match.route;
    const allow = allowedMethods(calls);
    const method = currentRequest()?.method ?? request.method;
    if (method === 'OPTIONS')
      return new Response(null, { status: 204, headers: { Allow: allow, 'Cache-Control': 'no-store' } });
    const call = calls[(method === 'HEAD' ? 'GET' : method) as ApiMethod];
    if (call === undefined) throw unknownMethod(method, allow);
    return call.perform(edge, request, match.params);
  }

  async function handler({ request }: LoaderFunctionArgs | ActionFunctionArgs): Promise<Response> {
    try {
      return await answer(request);
    } catch (error) {
      if (error instanceof Response) return error;
      return answerFailure(error, edge);
    }
  }

  return Object.assign(handler, { group: { name, description, paths } });
}

function answerFailure(error: unknown, edge: EndpointEdge): Response {
  const failure = failureOf(error);
  if (failure !== null) {
    if (error instanceof DomainError) edge.log().warn({ refusal: error.code, err: error.cause }, 'refused');
    return failureAnswer(failure);
  }
  if (isBusy(error)) {
    edge.log().warn({ err: error }, 'the database stayed locked');
    return failureAnswer(busyFailure());
  }
  edge.log().error({ err: error }, 'a call failed');
  return failureAnswer(bugFailure(currentRequestId()));
}
