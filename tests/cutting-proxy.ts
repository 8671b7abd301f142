import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** One break of the line. */
export interface Cut {
  /** up: bytes from the client to the server; down: from the server to the client. */
  direction: 'up' | 'down';
  /** Bytes in this direction since the previous cut, on all connections together; that many still arrive. */
  afterBytes: number;
  /**
   * reset (default): both ends see a closed connection. stall: the connection stays open and nothing arrives any more, as
   * when a router on the way loses its power.
   */
  how?: 'reset' | 'stall';
}

export interface CuttingProxy {
  port: number;
  /** The address with which a client replaces the server's origin. */
  url: string;
  /** How many of the cuts have happened. */
  cutsMade(): number;
  /** Bytes forwarded so far. */
  forwarded(): { up: number; down: number };
  close(): Promise<void>;
}

/**
 * Starts a TCP proxy on 127.0.0.1 that forwards to `port` and breaks the line at the given cuts, in their order. After the
 * last one it only forwards. It knows nothing of HTTP, and reads no faster than the other end does.
 */
export async function startCuttingProxy(port: number, cuts: readonly Cut[]): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  const forwarded = { up: 0, down: 0 };
  let made = 0;
  let sinceCut = 0;

  const closeBoth = (...pair: Socket[]): void => pair.forEach((socket) => socket.destroy());

  function forward(from: Socket, to: Socket, direction: Cut['direction']): void {
    from.on('data', (chunk: Buffer) => {
      const cut = cuts[made];
      if (cut?.direction !== direction || sinceCut + chunk.byteLength < cut.afterBytes) {
        if (cut?.direction === direction) sinceCut += chunk.byteLength;
        forwarded[direction] += chunk.byteLength;
        if (to.write(chunk)) return;
        from.pause();
        to.once('drain', () => from.resume());
        return;
      }
      const last = chunk.subarray(0, cut.afterBytes - sinceCut);
      made += 1;
      sinceCut = 0;
      forwarded[direction] += last.byteLength;
      from.pause();
      to.pause();
      for (const socket of [from, to]) socket.removeAllListeners('data').removeAllListeners('end');
      to.write(last, () => {
        if (cut.how !== 'stall') closeBoth(from, to);
      });
    });
    from.on('end', () => to.end());
    from.on('close', () => closeBoth(from, to));
    // The other end of a broken line.
    from.on('error', () => closeBoth(from, to));
  }

  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    }
    forward(client, upstream, 'up');
    forward(upstream, client, 'down');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo;

  return {
    port: own,
    url: `http://127.0.0.1:${own}`,
    cutsMade: () => made,
    forwarded: () => ({ ...forwarded }),
    async close() {
      server.close();
      closeBoth(...sockets);
      await once(server, 'close');
    },
  };
}
