import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ROOM_PAGE, shopPage } from '../pages';

/** How a shop of the crowd behaves. `flapping`: a waiting room in every third answer. */
export type Behaviour = 'open' | 'large' | 'flapping' | 'hanging' | 'inward';

/** Times are fractional epoch milliseconds, comparable between processes of one machine. */
export interface CrowdRecords {
  /** Each request for a shop's page. `answeredAt`: when the answer had been handed to the network; null without one. */
  pages: { shop: string; arrivedAt: number; answeredAt: number | null; room: boolean }[];
  /** Each request to a webhook, named like its shop. */
  messages: { shop: string; method: string; arrivedAt: number }[];
  /** Connections to the server that represents our own network. */
  inwardConnections: number;
}

export interface CrowdShops {
  /** `127.0.0.1:PORT`, for ALLOWED_PRIVATE_HOSTS and DISCORD_WEBHOOK_HOSTS. */
  host: string;
  pageUrl(shop: string, behaviour: Behaviour): string;
  webhookUrl(shop: string): string;
  /** The records since the last call. */
  take(): CrowdRecords;
  close(): void;
}

const now = (): number => performance.timeOrigin + performance.now();
const PAGES = { open: shopPage(90), large: shopPage(600), room: ROOM_PAGE };
const FLAPPING_EVERY = 3;

const emptyRecords = (): CrowdRecords => ({ pages: [], messages: [], inwardConnections: 0 });

async function listen(server: Server): Promise<number> {
  server.keepAliveTimeout = 90_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

function sendPage(response: ServerResponse, body: string, onSent: () => void): void {
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body, onSent);
}

/**
 * Starts the shops of many watches and the webhooks of these watches, and beside them a server that nothing may reach:
 * the shops with the behaviour `inward` redirect to it.
 */
export async function startCrowdShops(): Promise<CrowdShops> {
  let records = emptyRecords();
  let lastMessage = 0;
  const visits = new Map<string, number>();

  const inward = createServer((_request, response) => void response.end());
  inward.on('connection', () => (records.inwardConnections += 1));
  const inwardPort = await listen(inward);

  function showShop(behaviour: string, shop: string, response: ServerResponse): void {
    // Spread, so that the first alerts do not wait for the third check of all shops.
    const visit = (visits.get(shop) ?? visits.size) + 1;
    visits.set(shop, visit);
    const room = behaviour === 'flapping' && visit % FLAPPING_EVERY === FLAPPING_EVERY - 1;
    const page: CrowdRecords['pages'][number] = { shop, arrivedAt: now(), answeredAt: null, room };
    records.pages.push(page);
    const onSent = (): void => void (page.answeredAt = now());
    if (behaviour === 'hanging') return;
    if (behaviour === 'inward') {
      response.writeHead(302, { location: `http://127.0.0.1:${inwardPort}/` }).end(onSent);
      return;
    }
    sendPage(response, room ? PAGES.room : behaviour === 'large' ? PAGES.large : PAGES.open, onSent);
  }

  const server = createServer((request, response) => {
    const [, kind = '', ...rest] = new URL(request.url ?? '/', 'http://crowd').pathname.split('/');
    if (kind === 'shop') return showShop(rest[0] ?? '', rest[1] ?? '', response);
    // `/api/webhooks/ID/TOKEN`, for an edit with `/messages/ID` behind it.
    records.messages.push({ shop: rest[2] ?? '', method: request.method ?? '', arrivedAt: now() });
    request.resume();
    request.on('end', () => {
      lastMessage += 1;
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ id: String(lastMessage) }));
    });
  });
  const host = `127.0.0.1:${await listen(server)}`;
  return {
    host,
    pageUrl: (shop, behaviour) => `http://${host}/shop/${behaviour}/${shop}`,
    webhookUrl: (shop) => `http://${host}/api/webhooks/1/${shop}`,
    take() {
      const taken = records;
      records = emptyRecords();
      return taken;
    },
    close() {
      for (const one of [server, inward]) {
        one.close();
        one.closeAllConnections();
      }
    },
  };
}
