import {
  createReadableStreamFromReadable,
  writeReadableStreamToWritable,
  type ServerBuild,
} from '@remix-run/node';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Config } from '#shared/config.server';
import type { ApiHandler } from '../api/endpoint.server';
import { sendBuffered, type LoadBuild } from '../page-cache/page-cache.server';

/*
 * Remix finds the route of a path by trying every route of its build, twice per request, and copies the request before it
 * calls the route (@remix-run/router 1.23, `matchRoutes`; @remix-run/server-runtime 2.17, `data.js`); Express and its
 * middleware come before. The calls of the API need none of this.
 */

/** The resource routes of the API, and what the paths of each begin with, the longest first. */
type ApiRoutes = readonly { prefix: string; module: { loader: ApiHandler; action: ApiHandler } }[];

/** The routes whose path begins with `api/`, such as `api/news/*`. */
export function findApiRoutes(routes: readonly { path?: string | undefined; module: object }[]): ApiRoutes {
  return routes
    .flatMap(({ path = '', module }) => {
      if (!path.startsWith('api/')) return [];
      return [{ prefix: `/${path.replace(/\/\*$/, '')}/`, module: module as ApiRoutes[number]['module'] }];
    })
    .sort((one, other) => other.prefix.length - one.prefix.length);
}

const READS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/**
 * The handler of a request; undefined outside of the API. `target` is normalised. Like Remix, it reads escaped characters as
 * what they stand for, and ignores the case.
 */
export function findApiHandler(
  routes: ApiRoutes,
  { method, target }: { method: string; target: string },
): ApiHandler | undefined {
  const [path = ''] = target.split('?', 1);
  const wanted = `${decodeURI(path).toLowerCase()}/`;
  const module = routes.find(({ prefix }) => wanted.startsWith(prefix))?.module;
  return READS.includes(method) ? module?.loader : module?.action;
}

function toFetchRequest(request: IncomingMessage, appUrl: string): Request {
  const { method = 'GET', url = '/', headers } = request;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(new URL(url, appUrl), {
    method,
    headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
    ...(hasBody && { body: createReadableStreamFromReadable(request), duplex: 'half' as const }),
  });
}

/** Sends a response. JSON is compressed; the body of a file waits for the client (`file-body.server.ts`). */
async function sendResponse(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Response,
): Promise<void> {
  if (answer.headers.get('Content-Type')?.startsWith('application/json') === true)
    return sendBuffered(request, response, { response: answer });
  response.statusCode = answer.status;
  for (const [name, value] of answer.headers) response.appendHeader(name, value);
  if (answer.body === null || request.method === 'HEAD') response.end();
  else await writeReadableStreamToWritable(answer.body, response);
}

/** The step that serves the API. It returns false for every other request. */
export function createApiStep(
  { appUrl }: Pick<Config, 'appUrl'>,
  loadBuild: LoadBuild,
): (request: IncomingMessage, response: ServerResponse) => Promise<boolean> {
  let build: ServerBuild | null = null;
  let routes: ApiRoutes = [];
  return async (request, response) => {
    const current = await loadBuild();
    if (current !== build) {
      build = current;
      routes = findApiRoutes(Object.values(current.routes));
    }
    const { method = 'GET', url: target = '/' } = request;
    const handle = findApiHandler(routes, { method, target });
    if (handle === undefined) return false;
    const args = { request: toFetchRequest(request, appUrl), params: {}, context: {} };
    await sendResponse(request, response, await handle(args));
    return true;
  };
}
