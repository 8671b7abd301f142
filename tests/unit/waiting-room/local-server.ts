import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'vitest';

const servers: Server[] = [];

/** Closes the servers of a test after each test of the calling file. */
export function closeServersAfterEach(): void {
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
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
