import { Queue, QueueEvents } from 'bullmq';
import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND } from '../clock';
import { DomainError } from '../errors';
import type { Logger } from '../logger.server';
import { QUEUE_PREFIX, type QueueName } from './catalogue';

const MAX_RECONNECT_WAIT_MS = 2 * SECOND;
const CALL_TIMEOUT_MS = 2 * SECOND;
/** About 2 s in all. */
const READY_PAUSES_MS = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024];

/**
 * Creates a connection that reconnects by itself. `producer`: calls fail at once while it is offline, so that a page
 * can report it. `worker`: calls wait, as BullMQ's workers require. A lost connection throws nothing and is logged
 * once.
 */
export function connectRedis(
  url: string,
  { role, logger }: { role: 'producer' | 'worker'; logger?: Logger },
): Redis {
  const redis = new Redis(url, {
    maxRetriesPerRequest: role === 'worker' ? null : 0,
    enableOfflineQueue: role === 'worker',
    ...(role === 'producer' ? { commandTimeout: CALL_TIMEOUT_MS } : {}),
    retryStrategy: (attempt: number) => Math.min(50 * 2 ** Math.min(attempt, 6), MAX_RECONNECT_WAIT_MS),
  });
  let lost = false;
  redis.on('error', (error: Error) => {
    if (!lost) logger?.warn({ reason: error.message }, 'Redis is offline');
    lost = true;
  });
  redis.on('ready', () => {
    if (lost) logger?.info('Redis is online again');
    lost = false;
  });
  return redis;
}

export interface Queues {
  monitor: Queue;
  alerts: Queue;
  mail: Queue;
  members: Queue;
  payments: Queue;
  housekeeping: Queue;
  redis: Redis;
  prefix: string;
  /** Whether Redis is connected, so that a job can be added. */
  isReady(): boolean;
  close(): Promise<void>;
}

/** Opens the producers of every queue over one connection. `prefix` separates several installations in one Redis. */
export function connectQueues(
  url: string,
  { prefix = QUEUE_PREFIX, logger }: { prefix?: string; logger?: Logger } = {},
): Queues {
  const redis = connectRedis(url, { role: 'producer', logger });
  const open = (name: QueueName): Queue => {
    const queue = new Queue(name, {
      connection: redis,
      prefix,
      // A finished job that stays in Redis would block a later one with the same id.
      defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
    });
    queue.on('error', () => {
      // The connection's own listener has logged it.
    });
    return queue;
  };
  const queues = {
    monitor: open('monitor'),
    alerts: open('alerts'),
    mail: open('mail'),
    members: open('members'),
    payments: open('payments'),
    housekeeping: open('housekeeping'),
  };
  return {
    ...queues,
    redis,
    prefix,
    isReady: () => redis.status === 'ready',
    async close() {
      await Promise.allSettled(Object.values(queues).map((queue) => queue.close()));
      redis.disconnect();
    },
  };
}

/** Listens for the end of jobs in the monitor queue. The caller closes it. */
export function listenToMonitorQueue(url: string, { prefix }: { prefix: string }): QueueEvents {
  const events = new QueueEvents('monitor', { connection: connectRedis(url, { role: 'worker' }), prefix });
  // The producers' connection logs it.
  events.on('error', () => undefined);
  return events;
}

/**
 * Whether Redis becomes ready within about 2 s. `isReady` is asked between pauses: after each of them the process reads
 * its sockets, so that time in which the process itself was busy does not count as silence of Redis.
 */
export async function becomesReady(isReady: () => boolean): Promise<boolean> {
  for (const pause of READY_PAUSES_MS) {
    if (isReady()) return true;
    await sleep(pause);
  }
  return isReady();
}

/** Throws `Unavailable` while Redis is offline, instead of waiting for it. */
export function requireReady(queues: Queues): void {
  if (!queues.isReady()) {
    throw new DomainError('Unavailable', {
      code: 'queue_unavailable',
      message: 'This needs a part of the system that is away right now. Please try again in a minute.',
    });
  }
}
