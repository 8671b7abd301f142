import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { FakeServicesCommand, FakeServicesReady, FakeServicesRecords } from './bench-server';

export interface FakeServices {
  origin: string;
  showPage(body: string): Promise<void>;
  delayWebhooks(ms: number): Promise<void>;
  /** The records since the last call. */
  take(): Promise<FakeServicesRecords>;
  close(): void;
}

/** Starts the fake services in their own process, so that they do not share our event loop. */
export async function startFakeServices(): Promise<FakeServices> {
  const child = fork(new URL('./bench-server.js', import.meta.url), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [ready] = (await once(child, 'message')) as [FakeServicesReady];
  const ask = async (order: FakeServicesCommand): Promise<unknown> => {
    child.send(order);
    const [reply] = (await once(child, 'message')) as [unknown];
    return reply;
  };
  return {
    origin: `http://127.0.0.1:${ready.port}`,
    showPage: async (body) => void (await ask({ order: 'page', body })),
    delayWebhooks: async (ms) => void (await ask({ order: 'webhookDelay', ms })),
    take: async () => (await ask({ order: 'take' })) as FakeServicesRecords,
    close: () => child.disconnect(),
  };
}
