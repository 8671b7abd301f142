import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runInRequest } from '../../../app/http/server/request-context.server';
import { action, loader } from '../../../app/routes/api/tokens';

/**
 * A process that serves the token calls of the API over HTTP, with its own connections. It prints its port when it
 * listens, and ends with its parent.
 */
async function serve(incoming: IncomingMessage): Promise<Response> {
  const { method = 'GET', url = '/', headers } = incoming;
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const request = new Request(`http://packwatch.test${url}`, {
    method,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
    body: method === 'GET' ? null : Buffer.concat(chunks),
  });
  const args = { request, params: {}, context: {} };
  return runInRequest({ method, clientAddress: '127.0.0.1' }, () =>
    method === 'GET' ? loader(args) : action(args),
  );
}

const server = createServer((incoming, outgoing) => {
  void serve(incoming)
    .then(async (response) => {
      outgoing.writeHead(response.status, { 'content-type': 'application/json' });
      outgoing.end(await response.text());
    })
    .catch((error: unknown) => {
      console.error(error);
      outgoing.destroy();
    });
});
process.on('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
