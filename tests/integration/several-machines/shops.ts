import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { isMarkedAsRepeat } from '../alerts/delivery-fixture';
import { ROOM_PAGE } from '../../bench/pages';

/** How long a webhook takes: a process that is killed in this time does not learn that its message was accepted. */
const WEBHOOK_MS = 40;

/** A message that a webhook accepted. */
export interface AlertMessage {
  watchId: string;
  isMarkedAsRepeat: boolean;
}

/** The shops of many watches, which all show a waiting room, and a webhook of each. */
export interface Shops {
  /** For ALLOWED_PRIVATE_HOSTS and DISCORD_WEBHOOK_HOSTS. */
  host: string;
  pageUrl(watchId: string): string;
  webhookUrl(watchId: string): string;
  /** In the order of their arrival, edits left out. */
  messages(): readonly AlertMessage[];
  close(): void;
}

export async function startShops(): Promise<Shops> {
  const messages: AlertMessage[] = [];
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://shops').pathname.split('/');
    if (path[1] === 'shop') {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(ROOM_PAGE);
      return;
    }
    void text(request).then((body) => {
      // `/api/webhooks/ID/TOKEN`, for an edit with `/messages/ID` behind it.
      if (request.method === 'POST')
        messages.push({
          watchId: path[4] ?? '',
          isMarkedAsRepeat: isMarkedAsRepeat(JSON.parse(body) as Parameters<typeof isMarkedAsRepeat>[0]),
        });
      setTimeout(() => {
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ id: String(messages.length) }));
      }, WEBHOOK_MS);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    pageUrl: (watchId) => `http://${host}/shop/${watchId}`,
    webhookUrl: (watchId) => `http://${host}/api/webhooks/1/${watchId}`,
    messages: () => messages,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
