import { createServer, type Server } from 'node:http';
import type { Registry } from 'prom-client';
import type { Health } from '#shared/health.server';

interface HealthServerContext {
  port: number;
  readHealth(): Promise<Health>;
  registry: Registry;
  /** Told to operators: who answers here. */
  identity: { instance: string; pid: number };
}

/**
 * Serves `/healthz` (200 while the daemon can check and deliver, else 503) and `/metrics` (Prometheus text).
 * Rejects when the port is taken.
 */
export async function startHealthServer({
  port,
  readHealth,
  registry,
  identity,
}: HealthServerContext): Promise<Server> {
  const server = createServer((request, response) => {
    const answer = (status: number, type: string, body: string): void => {
      response
        .writeHead(status, {
          'content-type': type,
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
        })
        .end(body);
    };
    const path = new URL(request.url ?? '/', 'http://daemon').pathname;
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      answer(
        405,
        'application/json',
        JSON.stringify({ success: false, message: 'Only GET is answered here.', code: 'method_not_allowed' }),
      );
    } else if (path === '/healthz') {
      void readHealth().then((health) => {
        const works = health.database.ok && health.redis.ok;
        answer(works ? 200 : 503, 'application/json', JSON.stringify({ ...health, ...identity }));
      });
    } else if (path === '/metrics') {
      void registry.metrics().then((text) => answer(200, registry.contentType, text));
    } else {
      answer(
        404,
        'application/json',
        JSON.stringify({
          success: false,
          message: 'Only /healthz and /metrics are answered here.',
          code: 'not_found',
        }),
      );
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return server;
}
