import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';
import { SECOND } from '#shared/clock';
import type { Logger } from '#shared/logger.server';
import type { DaemonHealth } from './daemon-health';

interface HealthServerContext {
  /** 0: the system chooses a free port. */
  port: number;
  /** Address to listen on. */
  host: string;
  readHealth(): Promise<DaemonHealth>;
  registry: Registry;
  logger: Logger;
  /** The responding process, for operators. */
  identity: { instance: string; pid: number };
}

/** A probe sends a few hundred bytes at once. These limits close every other connection. */
const LIMITS = {
  maxHeaderSize: 8 * 1024,
  headersTimeout: 5 * SECOND,
  requestTimeout: 10 * SECOND,
  keepAliveTimeout: 5 * SECOND,
  connectionsCheckingInterval: SECOND,
};
const MAX_CONNECTIONS = 100;

/**
 * The path of a request target in origin form or absolute form (RFC 9112, section 3.2), without its query.
 * `new URL(target, base)` does not serve: it throws for targets that a client can send, such as `//`.
 */
function pathOf(target: string): string {
  return target.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1)[0] || '/';
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response
    .writeHead(status, {
      'content-type': type,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    .end(body);
}

function sendError(response: ServerResponse, status: number, code: string, message: string): void {
  send(response, status, 'application/json', JSON.stringify({ success: false, message, code }));
}

async function answer(
  { readHealth, registry, identity }: HealthServerContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    // The server does not read the body of such a request, so the connection closes after the response.
    response.setHeader('allow', 'GET, HEAD').setHeader('connection', 'close');
    sendError(response, 405, 'method_not_allowed', 'Only GET is supported here.');
    return;
  }
  switch (pathOf(request.url ?? '/')) {
    case '/healthz': {
      const health = await readHealth();
      send(response, health.ok ? 200 : 503, 'application/json', JSON.stringify({ ...health, ...identity }));
      return;
    }
    case '/metrics':
      send(response, 200, registry.contentType, await registry.metrics());
      return;
    default:
      sendError(response, 404, 'not_found', 'Only /healthz and /metrics exist here.');
  }
}

/**
 * Serves `/healthz` (200 while the daemon can check and deliver, else 503) and `/metrics` (Prometheus text). Rejects when
 * the port is taken. A failed request is logged and answered with 500; it never ends the process.
 */
export async function startHealthServer(context: HealthServerContext): Promise<Server> {
  const { port, host, logger } = context;
  const server = createServer(LIMITS, (request, response) => {
    answer(context, request, response).catch((error: unknown) => {
      logger.error({ err: error }, 'a request to the health server failed');
      if (response.headersSent) response.destroy();
      else sendError(response, 500, 'internal_error', 'This request failed. See the daemon’s log.');
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  // Once it listens, the server fails only for single connections, such as with too many open files.
  server.on('error', (error) => logger.error({ err: error }, 'the health server failed'));
  return server;
}
