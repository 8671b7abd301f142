import { createAdaptorServer } from '@hono/node-server';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { epochNow } from '../service';
import { respondJson, createApp, type App } from './app';

/** Longer than any client of the product keeps an idle connection, so the server never closes one that is being reused. */
const KEEP_ALIVE_MS = 120_000;
const MAX_BODY_BYTES = 8 * 1024 * 1024;

/**
 * One app with the routes of all services. An unknown path is a 404, a known path with another method a 405, a body above
 * 8 MiB a 413. A handler that throws answers 500 with its reason.
 */
export function createMainApp(services: readonly App[]): App {
  const app = createApp();
  app.use(async (context, next) => {
    context.set('arrivedAt', epochNow());
    context.set('url', new URL(context.req.url));
    await next();
  });
  // Not Hono's own body limit: it copies the request with the global Request, which may be replaced (see below).
  app.use(async ({ req }, next) => {
    if (Number(req.header('content-length') ?? 0) <= MAX_BODY_BYTES) return next();
    const message = `sandbox: more than ${MAX_BODY_BYTES} bytes`;
    return respondJson(413, { message }, { connection: 'close' });
  });
  for (const service of services) app.route('/', service);
  refuseOtherMethods(app);
  app.notFound(() => respondJson(404, { message: '404: Not Found', code: 0 }));
  app.onError((error) => respondJson(500, { message: `sandbox: ${error.message}` }, { connection: 'close' }));
  return app;
}

function refuseOtherMethods(app: App): void {
  const allowed = new Map<string, Set<string>>();
  for (const { method, path } of app.routes) {
    if (method !== 'ALL') allowed.set(path, (allowed.get(path) ?? new Set()).add(method));
  }
  for (const [path, methods] of allowed) {
    const allow = [...methods].join(', ');
    app.all(path, () => respondJson(405, { message: '405: Method Not Allowed', code: 0 }, { allow }));
  }
}

/** A server for the routes of these services, not yet listening. */
export function createHttpServer(services: readonly App[]): Server {
  return createAdaptorServer({
    fetch: createMainApp(services).fetch,
    // Tests run the sandbox in a process that replaces the global Request and Response.
    overrideGlobalObjects: false,
    serverOptions: { keepAliveTimeout: KEEP_ALIVE_MS },
  }) as Server;
}

/**
 * Starts listening on 127.0.0.1.
 * @param port 0 takes any free one
 * @returns the port that was taken; rejects when it is in use
 */
export function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** Stops at once and closes the connections of requests that are still waiting. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
