import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { matchRoutes } from '@remix-run/react';
import { DomainError } from '#shared/errors';
import type { Logger } from '#shared/logger.server';
import { decideAccess, type DecideAccess } from '../auth/access.server';
import { bugFailure, databaseFailure, failureOf, HttpRefusal } from '../server/failures.server';
import { currentRequest, currentRequestId } from '../server/request-context.server';
import { serverContext } from '../server/context.server';
import type { Call } from './call.server';
import { failureResponse } from './response.server';

/** A path that has GET also answers HEAD, and every path OPTIONS, unless a separate call is declared for them. */
export const API_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
type ApiMethod = (typeof API_METHODS)[number];

/** The calls of a group by method and path, such as `GET /api/news/{id}`. */
export type ApiCalls = Readonly<Record<string, Call>>;

type CallsOfPath = Partial<Record<ApiMethod, Call>>;

/** A group of calls: one file of `routes/api`, one tag of the OpenAPI document. */
export interface ApiGroup {
  name: string;
  description: string;
  /** The calls of each path by method. */
  paths: Readonly<Record<string, CallsOfPath>>;
}

/** The `loader` and `action` of a group's route, with the group: a route module must not export anything else. */
export interface ApiHandler {
  (args: LoaderFunctionArgs | ActionFunctionArgs): Promise<Response>;
  readonly group: ApiGroup;
}

/** Dependencies of `endpoint`, for tests. */
interface EndpointDependencies {
  decide: DecideAccess;
  log(): Pick<Logger, 'warn' | 'error'>;
}

const serverDependencies: EndpointDependencies = {
  decide: decideAccess,
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
function allowedMethods(calls: CallsOfPath): string {
  return API_METHODS.filter(
    (method) =>
      calls[method] !== undefined || method === 'OPTIONS' || (method === 'HEAD' && calls.GET !== undefined),
  ).join(', ');
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
 * Creates the resource route of a group of calls. Every response is JSON: successes, refusals, unknown paths (404),
 * unknown methods (405) and bugs (500, logged, without details). Paths match as Remix routes do: case and a trailing slash
 * are ignored, and a static path takes precedence over one with parameters.
 */
export function endpoint(
  { name, description }: Omit<ApiGroup, 'paths'>,
  declared: ApiCalls,
  dependencies: EndpointDependencies = serverDependencies,
): ApiHandler {
  const paths: Record<string, CallsOfPath> = {};
  for (const [name, call] of Object.entries(declared)) {
    const [method, path = ''] = name.split(' ');
    (paths[path] ??= {})[method as ApiMethod] = call;
  }
  const routes = Object.entries(paths).map(([path, calls]) => ({
    path: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    calls,
  }));
  // `matchRoutes` compiles the patterns of all these routes for each request. A path without parameters takes precedence.
  const exact = new Map(
    routes.flatMap((route) => (route.path.includes(':') ? [] : [[route.path, { route, params: {} }]])),
  );

  async function withRefusals(work: () => Promise<Response>): Promise<Response> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Response) return error;
      return respondToError(error, dependencies.log());
    }
  }

  async function dispatch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const match = exact.get(pathname) ?? matchRoutes(routes, pathname)?.[0];
    if (match === undefined) throw unknownPath();
    const { calls } = match.route;
    const allow = allowedMethods(calls);
    const method = currentRequest()?.method ?? request.method;
    const declared = Object.hasOwn(calls, method) ? calls[method as ApiMethod] : undefined;
    const call = declared ?? (method === 'HEAD' ? calls.GET : undefined);
    if (call === undefined) {
      if (method !== 'OPTIONS') throw unknownMethod(method, allow);
      return new Response(null, { status: 204, headers: { Allow: allow, 'Cache-Control': 'no-store' } });
    }
    const response = await withRefusals(() => call.perform(dependencies.decide, request, match.params));
    for (const [name, value] of Object.entries(call.fixedHeaders)) response.headers.set(name, value);
    return response;
  }

  function handler({ request }: LoaderFunctionArgs | ActionFunctionArgs): Promise<Response> {
    return withRefusals(() => dispatch(request));
  }

  return Object.assign(handler, { group: { name, description, paths } });
}

function respondToError(error: unknown, log: Pick<Logger, 'warn' | 'error'>): Response {
  const failure = failureOf(error);
  if (failure !== null) {
    if (error instanceof DomainError)
      log.warn({ refusal: error.code, err: error.cause }, 'the call was refused');
    return failureResponse(failure);
  }
  const fault = databaseFailure(error);
  if (fault !== null) {
    log.warn({ err: error }, 'the call met a fault of the database');
    return failureResponse(fault);
  }
  log.error({ err: error }, 'the call failed');
  return failureResponse(bugFailure(currentRequestId()));
}
