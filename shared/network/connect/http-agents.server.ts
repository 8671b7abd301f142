import { Agent as HttpAgent, type AgentOptions, type ClientRequestArgs } from 'node:http';
import { Agent as HttpsAgent, type RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import { connectTcp, type TcpOptions } from './connect-tcp.server';

type OnSocket = (error: Error | null, socket: Duplex) => void;

class TcpAgent extends HttpAgent {
  constructor(
    settings: AgentOptions,
    private readonly tcp: TcpOptions,
  ) {
    super(settings);
  }

  override createConnection(target: ClientRequestArgs, callback: OnSocket): undefined {
    connectTcp(addressOf(target), this.tcp).then((socket) => callback(null, socket), failWith(callback));
  }
}

class TlsAgent extends HttpsAgent {
  constructor(
    settings: AgentOptions,
    private readonly tcp: TcpOptions,
  ) {
    super(settings);
  }

  override createConnection(target: RequestOptions, callback: OnSocket): undefined {
    connectTcp(addressOf(target), this.tcp)
      // The agent's own way keeps TLS sessions for later connections.
      .then((socket) => super.createConnection({ ...target, socket } as RequestOptions) as Duplex)
      .then((socket) => callback(null, socket), failWith(callback));
  }
}

function addressOf({ host, port }: ClientRequestArgs): { hostname: string; port: number } {
  return { hostname: host ?? 'localhost', port: Number(port) };
}

/** Node's types demand a socket, which a failure does not have. */
function failWith(callback: OnSocket): (error: Error) => void {
  return callback as (error: Error) => void;
}

/** Agents for clients that use node:http and node:https. They connect as `connectTcp` does. */
export function createHttpAgents(
  settings: AgentOptions = {},
  tcp: TcpOptions = {},
): { httpAgent: HttpAgent; httpsAgent: HttpsAgent } {
  return { httpAgent: new TcpAgent(settings, tcp), httpsAgent: new TlsAgent(settings, tcp) };
}
