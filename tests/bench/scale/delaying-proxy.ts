import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * A TCP proxy in its own process, which delays the clients' data, like the network to another machine. Arguments: the
 * server's port on 127.0.0.1, and the delay in milliseconds (a whole round trip; answers are not delayed).
 */
const [serverPort = '', delay = ''] = process.argv.slice(2);
const DELAY_MS = Number(delay);
/** Node's timers have whole milliseconds. */
const SLICE_MS = 0.1;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** In the order of their times. */
const delayed: { due: number; pass: () => void }[] = [];

function passDue(): void {
  for (let first = delayed[0]; first !== undefined && first.due <= performance.now(); first = delayed[0]) {
    delayed.shift();
    first.pass();
  }
  const [next] = delayed;
  if (next === undefined) return;
  // In slices: what arrives in between is read, and gets its time, after this one.
  Atomics.wait(sleeper, 0, 0, Math.min(SLICE_MS, Math.max(0, next.due - performance.now())));
  setImmediate(passDue);
}

function delayBy(pass: () => void): void {
  delayed.push({ due: performance.now() + DELAY_MS, pass });
  if (delayed.length === 1) setImmediate(passDue);
}

function join(client: Socket, server: Socket): void {
  client.on('data', (chunk: Buffer) => delayBy(() => server.write(chunk)));
  client.on('end', () => delayBy(() => server.end()));
  server.on('data', (chunk: Buffer) => client.write(chunk));
  server.on('end', () => client.end());
  for (const [one, other] of [
    [client, server],
    [server, client],
  ] as const) {
    one.setNoDelay(true);
    one.on('close', () => other.destroy());
    one.on('error', () => other.destroy());
  }
}

const proxy = createServer({ allowHalfOpen: true }, (client) =>
  join(client, connect({ port: Number(serverPort), host: '127.0.0.1', allowHalfOpen: true })),
);
process.on('disconnect', () => process.exit(0));
proxy.listen(0, '127.0.0.1', () => process.send?.({ port: (proxy.address() as AddressInfo).port }));
