import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A simple query `commit` (postgresql.org/docs/current/protocol-message-formats.html, "Query"). */
const COMMIT = Buffer.from('Q\0\0\0\x0bcommit\0', 'latin1');

export interface CommitCutter {
  port: number;
  /**
   * Breaks the connection of the next `commit`: `before` it reaches the server, or `after`, when its answer is on the
   * way. `onCut` is called just before.
   */
  cutNext(when: 'before' | 'after', onCut?: () => void): void;
  /** Holds the bytes of all connections, as a broken network does; `false`: forwards the held bytes. */
  hold(held: boolean): void;
  /** New connections go to another port, as after a failover; existing ones stay. */
  redirect(port: number): void;
  close(): Promise<void>;
}

/** Starts a TCP proxy on 127.0.0.1 that forwards to a PostgreSQL server and can lose commits. */
export async function startCommitCutter(port: number): Promise<CommitCutter> {
  const sockets = new Set<Socket>();
  let next: { when: 'before' | 'after'; onCut: () => void } | null = null;
  let held = false;
  let target = port;
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    let loseAnswer: (() => void) | null = null;
    const end = () => {
      for (const socket of [client, upstream]) socket.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      if (held) socket.pause();
      socket.once('close', () => {
        sockets.delete(socket);
        end();
      });
      socket.on('error', end);
    }
    client.on('data', (chunk: Buffer) => {
      if (next === null || !chunk.includes(COMMIT)) return void upstream.write(chunk);
      const { when, onCut } = next;
      next = null;
      const cut = () => {
        onCut();
        end();
      };
      if (when === 'before') return cut();
      loseAnswer = cut;
      upstream.write(chunk);
    });
    upstream.on('data', (chunk: Buffer) => (loseAnswer === null ? client.write(chunk) : loseAnswer()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cutNext(when, onCut = () => undefined) {
      next = { when, onCut };
    },
    hold(isHeld) {
      held = isHeld;
      for (const socket of sockets)
        if (isHeld) socket.pause();
        else socket.resume();
    },
    redirect(to) {
      target = to;
    },
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
