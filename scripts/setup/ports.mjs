import { createServer } from 'node:net';

/** Whether a process could listen on the port now, on every address and on the loopback one. */
export async function isPortFree(port) {
  return (await canListen(port)) && (await canListen(port, '127.0.0.1'));
}

/** The first of the ports that is free, or 0, which lets the system choose. */
export async function firstFreePort(ports) {
  for (const port of ports) if (await isPortFree(port)) return port;
  return 0;
}

function canListen(port, host) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
