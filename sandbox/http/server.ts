import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { epochNow } from '../epoch';
import { answerJson, BodyTooLarge, type Exchange } from './exchange';
import { findRoute, isFound, type Route } from './router';

/**
 * Idle connections are kept longer than any client of the product keeps them, so that a reused connection is never
 * closed from this side just as a request travels along it.
 */
const KEEP_ALIVE_MS = 120_000;

/** A server for these routes, not yet listening. A handler that throws answers 500 with its reason. */
export function createHttpServer(routes: readonly Route[]): Server {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (req, res) => {
    const arrivedAt = epochNow();
    const url = new URL(req.url?.startsWith('/') ? req.url.replace(/^\/+/, '/') : '/', 'http://sandbox');
    const exchange: Exchange = { req, res, url, params: {}, arrivedAt };
    const found = findRoute(routes, req.method ?? 'GET', url.pathname);
    if (!isFound(found)) {
      const status = found.allow.length > 0 ? 405 : 404;
      const message = status === 405 ? '405: Method Not Allowed' : '404: Not Found';
      answerJson(
        exchange,
        status,
        { message, code: 0 },
        status === 405 ? { allow: found.allow.join(', ') } : {},
      );
      return;
    }
    exchange.params = found.params;
    void (async () => found.route.handle(exchange))().catch((error: unknown) => {
      if (res.headersSent || res.destroyed) return void res.destroy();
      const tooLarge = error instanceof BodyTooLarge;
      const reason = error instanceof Error ? error.message : String(error);
      answerJson(exchange, tooLarge ? 413 : 500, { message: `sandbox: ${reason}` }, { connection: 'close' });
    });
  });
  return server;
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

/** Stops at once: requests that are held back (hanging, delayed) are cut off rather than waited for. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
