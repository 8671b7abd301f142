import { buildConnector } from 'undici';
import { connectTcp, type TcpOptions } from './connect-tcp.server';

/** The connector of an undici Agent, with HTTP/2 where the server offers it: `connectTcp`, then TLS for https. */
export function createUndiciConnector(options: TcpOptions = {}): buildConnector.connector {
  const startTls = buildConnector({
    ...(options.timeoutMs === undefined ? {} : { timeout: options.timeoutMs }),
  });
  return (target, callback) => {
    const isTls = target.protocol === 'https:';
    const port = Number(target.port) || (isTls ? 443 : 80);
    connectTcp({ hostname: target.hostname, port }, options).then(
      (socket) => {
        if (isTls) startTls({ ...target, httpSocket: socket }, callback);
        else callback(null, socket.setKeepAlive(true, 60_000));
      },
      (error: Error) => callback(error, null),
    );
  };
}
