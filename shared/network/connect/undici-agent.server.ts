import { Agent } from 'undici';
import { createUndiciConnector, type ConnectorOptions } from './undici-connector.server';

export { request } from 'undici';

export type AgentOptions = Omit<Agent.Options, 'connect'> & { connect: ConnectorOptions };

/** An undici agent that connects with our connector. */
export function createAgent({ connect, ...options }: AgentOptions): Agent {
  return new Agent({ ...options, connect: createUndiciConnector(connect) });
}
