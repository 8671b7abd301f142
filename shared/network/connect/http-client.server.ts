import type { Dispatcher } from 'undici';
import type { AgentOptions } from './undici-agent.server';

type RequestOptions = Omit<Dispatcher.RequestOptions, 'origin' | 'path' | 'method'> & {
  method?: Dispatcher.HttpMethod;
};

/** Sends requests over connections that it keeps. */
export interface HttpClient {
  /** Sends one request. Follows no redirects. */
  request(url: string | URL, options?: RequestOptions): Promise<Dispatcher.ResponseData>;
  /** Closes the connections; requests under way fail, and later ones, too. */
  destroy(): Promise<void>;
}

/** Creates a client. Its first request loads undici, so that a process that sends none starts without its hundred files. */
export function createHttpClient(options: AgentOptions): HttpClient {
  let opening: Promise<HttpClient> | null = null;
  let destroyed = false;

  async function open(): Promise<HttpClient> {
    const { createAgent, request } = await import('./undici-agent.server');
    const dispatcher = createAgent(options);
    return {
      request: (url, requestOptions) => request(url, { ...requestOptions, dispatcher }),
      destroy: () => dispatcher.destroy(),
    };
  }

  return {
    async request(url, requestOptions = {}) {
      if (destroyed) throw new Error('the HTTP client is closed');
      const client = await (opening ??= open());
      return client.request(url, requestOptions);
    },
    async destroy() {
      destroyed = true;
      const client = await opening;
      await client?.destroy();
    },
  };
}
