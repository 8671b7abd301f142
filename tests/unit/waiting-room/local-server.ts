import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from 'node:net';
import { afterEach } from 'vitest';

const servers: Server[] = [];
const rawServers: TcpServer[] = [];

/** Closes the servers of a test after each test of the calling file. */
export function closeServersAfterEach(): void {
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
    for (const server of rawServers.splice(0)) server.close();
  });
}

/** Serves on a free local port. Returns the address without a trailing slash. */
export async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export const HTML = { 'content-type': 'text/html; charset=utf-8' };
export const PAGE = '<html><body><h1>Pokémon Center</h1></body></html>';

/**
 * Answers each request with given bytes and closes the connection, or resets it. `answerTo` gets the request's head.
 * Returns the address without a trailing slash.
 */
export async function serveRaw(
  answerTo: (head: string) => string | Buffer,
  { reset = false }: { reset?: boolean } = {},
): Promise<string> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (head) => {
      const answer = answerTo(head.toString('latin1'));
      if (!reset) socket.end(answer, 'latin1');
      else socket.write(answer, 'latin1', () => setTimeout(() => socket.resetAndDestroy(), 20));
    });
  });
  rawServers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
