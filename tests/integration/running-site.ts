import {
  createReadableStreamFromReadable,
  createRequestHandler,
  writeReadableStreamToWritable,
} from '@remix-run/node';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setServerLimits } from '~/http/pipeline/connection-limits.server';
import { serverContext } from '~/http/server/context.server';
import { createInFlight } from '~/http/pipeline/in-flight.server';
import { createPipeline } from '~/http/pipeline/pipeline.server';
import { apiRouteModules } from './api/api-fixture';
import { buildOf } from './rendered-site';

/** The site over HTTP. */
export interface RunningSite {
  /** Bytes read from all connections that are open. */
  bytesRead(): number;
  close(): Promise<void>;
}

/** Passes a request to Remix and its response to the client, as remix-serve does (@remix-run/express 2.17, server.js). */
function createListener(handle: ReturnType<typeof createRequestHandler>, appUrl: string) {
  return async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { method = 'GET', url = '/', headers } = incoming;
    const hasBody = method !== 'GET' && method !== 'HEAD';
    const aborted = new AbortController();
    outgoing.once('close', () => aborted.abort());
    const request = new Request(new URL(url, appUrl), {
      method,
      headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
      signal: aborted.signal,
      ...(hasBody && { body: createReadableStreamFromReadable(incoming), duplex: 'half' as const }),
    });
    const response = await handle(request);
    outgoing.statusCode = response.status;
    for (const [name, value] of response.headers) outgoing.appendHeader(name, value);
    if (response.body === null) outgoing.end();
    else await writeReadableStreamToWritable(response.body, outgoing);
  };
}

/**
 * Serves the API and these pages at APP_URL over HTTP, in this process: the pipeline before Remix, and Remix. `pages`: a path
 * and its route module.
 */
export async function startSite(pages: Readonly<Record<string, object>> = {}): Promise<RunningSite> {
  const context = serverContext();
  const { appUrl } = context.config;
  const build = buildOf({ ...apiRouteModules, ...pages });
  const pipeline = createPipeline({
    context,
    loadBuild: () => Promise.resolve(build),
    // Remix renders the pages, not the page cache.
    publicPages: [],
    inFlight: createInFlight(),
  });
  const listen = createListener(createRequestHandler(build, 'test'), appUrl);
  const server = createServer((request, response) =>
    pipeline(request, response, () => {
      listen(request, response).catch(() => response.destroy());
    }),
  );
  setServerLimits(server);
  const connections = new Set<Socket>();
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  server.listen(Number(new URL(appUrl).port), '127.0.0.1');
  await once(server, 'listening');
  return {
    bytesRead: () => [...connections].reduce((sum, { bytesRead }) => sum + bytesRead, 0),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
