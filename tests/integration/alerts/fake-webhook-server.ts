import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeWebhookServer {
  /** `127.0.0.1:PORT`, for DISCORD_WEBHOOK_HOSTS. */
  host: string;
  /** A well-formed webhook address on this server. */
  webhookUrl: string;
  /** Every request so far; `receivedAt` in epoch ms. */
  requests: { method: string; path: string; receivedAt: number }[];
  /** Stops listening and closes all connections; `open` listens on the same port again. */
  close(): Promise<void>;
  open(): Promise<void>;
}

/** A webhook server with responses that Discord never gives. `answer` receives the number of the request, from 1. */
export async function startFakeWebhookServer(
  answer: (response: ServerResponse, count: number) => void,
): Promise<FakeWebhookServer> {
  const requests: FakeWebhookServer['requests'] = [];
  const server = createServer((request, response) => {
    requests.push({ method: request.method ?? '', path: request.url ?? '', receivedAt: Date.now() });
    request.resume().on('end', () => answer(response, requests.length));
  });
  const listen = (port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', reject);
        resolve();
      });
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    webhookUrl: `http://127.0.0.1:${port}/api/webhooks/123456789012345678/a-secret-webhook-token`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    open: () => listen(port),
  };
}
