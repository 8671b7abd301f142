import { buildConnector } from 'undici';
import { connectTcp, type TcpOptions } from './connect-tcp.server';

export interface ConnectorOptions extends TcpOptions {
  /** The options for one address, instead of these. Throws for an address that must not be connected to. */
  tcpFor?: (target: { protocol: string; hostname: string; port: string }) => TcpOptions;
}

/** The connector of an undici Agent, with HTTP/2 where the server offers it: `connectTcp`, then TLS for https. */
export function createUndiciConnector({ tcpFor, ...tcp }: ConnectorOptions = {}): buildConnector.connector {
  const startTls = buildConnector({ ...(tcp.timeoutMs === undefined ? {} : { timeout: tcp.timeoutMs }) });
  return (target, callback) => {
    const isTls = target.protocol === 'https:';
    const port = Number(target.port) || (isTls ? 443 : 80);
    const openTcp = async () => connectTcp({ hostname: target.hostname, port }, tcpFor?.(target) ?? tcp);
    openTcp().then(
      (socket) => {
        if (isTls) startTls({ ...target, httpSocket: socket }, callback);
        else callback(null, socket.setKeepAlive(true, 60_000));
      },
      (error: Error) => callback(error, null),
    );
  };
}
