import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * The fake services of the benchmark, a separate process: a shop and a Discord-like webhook, which respond and record
 * times. Times are fractional epoch milliseconds, comparable between processes of one machine.
 */
export interface FakeServicesReady {
  port: number;
}

export type FakeServicesCommand =
  | { order: 'page'; body: string }
  | { order: 'webhookDelay'; ms: number }
  | { order: 'take' };

export interface FakeServicesRecords {
  /** When each answer of the shop had been handed to the network. */
  answered: number[];
  /** When each webhook request had arrived. */
  arrived: number[];
}

const now = (): number => performance.timeOrigin + performance.now();

let page = '';
let webhookDelayMs = 0;
let records: FakeServicesRecords = { answered: [], arrived: [] };
let lastId = 0;

const server = createServer((request, response) => {
  if (request.method === 'GET' && request.url === '/shop') {
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-length': Buffer.byteLength(page),
    });
    response.end(page, () => records.answered.push(now()));
    return;
  }
  records.arrived.push(now());
  request.resume();
  request.on('end', () => {
    lastId += 1;
    const body = JSON.stringify({ id: String(lastId) });
    const answer = (): void =>
      void response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
        .end(body);
    if (webhookDelayMs === 0) answer();
    else setTimeout(answer, webhookDelayMs);
  });
});
server.keepAliveTimeout = 60_000;

process.on('message', (message: FakeServicesCommand) => {
  if (message.order === 'page') page = message.body;
  else if (message.order === 'webhookDelay') webhookDelayMs = message.ms;
  const reply = records;
  if (message.order === 'take') records = { answered: [], arrived: [] };
  process.send?.(message.order === 'take' ? reply : { done: true });
});
process.on('disconnect', () => process.exit(0));

server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port } satisfies FakeServicesReady);
});
