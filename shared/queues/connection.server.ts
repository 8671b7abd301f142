import type { Queue, QueueEvents } from 'bullmq';
import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND } from '../clock';
import { DomainError } from '../errors';
import type { Logger } from '../logger.server';
import { QUEUE_PREFIX, type QueueName } from './catalogue';

const MIN_RECONNECT_WAIT_MS = 100;
const MAX_RECONNECT_WAIT_MS = 2 * SECOND;
const CALL_TIMEOUT_MS = 2 * SECOND;
/** A series of refusals ends after this long without one. */
const REFUSALS_END_AFTER_MS = 10 * SECOND;
/**
 * A connection on which a command gets no byte for this long is replaced: after a failover the old server may be silent,
 * and TCP notices that after many minutes. Workers wait for jobs for up to ten seconds (BullMQ, `maximumBlockTimeout`).
 */
const WORKER_SILENCE_MS = 12 * SECOND;
/** How much longer a producer's connection may be silent than its calls wait. */
const PRODUCER_SILENCE_MS = 3 * SECOND;

/**
 * Replies after which another connection may lead to a server that works: this one is a replica since a failover, loads its
 * data, lost its master or its replicas, or wants another password (redis.io/docs, "RESP protocol", error prefixes;
 * `UNBLOCKED`: a worker waited for a job while its server became a replica). Inside a script Redis 6 puts text before the code.
 */
const WANTS_ANOTHER_CONNECTION =
  /\b(?:READONLY|LOADING|MASTERDOWN|UNBLOCKED|NOREPLICAS|CLUSTERDOWN|NOAUTH|WRONGPASS)\b/;
/** Refusals that end on the same server. A worker repeats a refused command without a pause, so reconnecting adds one. */
const REFUSES_WRITES = /\b(?:MISCONF|OOM|BUSY)\b/;
/** About 2 s in all. */
const READY_PAUSES_MS = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024];

/**
 * Creates a connection that reconnects automatically, also when the server refuses commands as a replica does. `producer`:
 * calls fail at once while it is offline, so that a page can report it, and wait for `callTimeoutMs` for an answer. `worker`:
 * calls wait, as BullMQ's workers require.
 * A lost connection throws nothing and is logged once. Connections that BullMQ duplicates from it behave alike.
 */
export function connectRedis(
  url: string,
  {
    role,
    logger,
    callTimeoutMs = CALL_TIMEOUT_MS,
  }: { role: 'producer' | 'worker'; logger?: Logger; callTimeoutMs?: number },
): Redis {
  let refusals: { since: number; lastAt: number } | null = null;

  function isRefused({ message }: Error): boolean {
    const refused =
      WANTS_ANOTHER_CONNECTION.test(message) || (role === 'worker' && REFUSES_WRITES.test(message));
    if (!refused) return false;
    const now = performance.now();
    if (refusals === null || now - refusals.lastAt > REFUSALS_END_AFTER_MS) {
      refusals = { since: now, lastAt: now };
      logger?.warn({ reason: message }, 'Redis refuses commands: connecting again');
    } else refusals.lastAt = now;
    return true;
  }

  /** Grows with the failed attempts, and with the time for which connections are made and refused. */
  function reconnectWait(attempt: number): number {
    const now = performance.now();
    const refusedFor =
      refusals === null || now - refusals.lastAt > REFUSALS_END_AFTER_MS ? 0 : now - refusals.since;
    const wait = Math.max(50 * 2 ** Math.min(attempt, 6), refusedFor, MIN_RECONNECT_WAIT_MS);
    return Math.min(wait, MAX_RECONNECT_WAIT_MS);
  }

  const redis = new Redis(url, {
    maxRetriesPerRequest: role === 'worker' ? null : 0,
    enableOfflineQueue: role === 'worker',
    ...(role === 'producer' ? { commandTimeout: callTimeoutMs } : {}),
    socketTimeout: role === 'worker' ? WORKER_SILENCE_MS : callTimeoutMs + PRODUCER_SILENCE_MS,
    maxLoadingRetryTime: MAX_RECONNECT_WAIT_MS,
    retryStrategy: reconnectWait,
    reconnectOnError: isRefused,
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
  redis: Redis;
  prefix: string;
  /**
   * Returns the producer of a queue. The first call loads BullMQ: a tenth of the time that a web process takes to start. Throws
   * `Unavailable` while Redis is offline.
   */
  open(name: QueueName): Promise<Queue>;
  /** Whether Redis is connected, so that a job can be added. */
  isReady(): boolean;
  close(): Promise<void>;
}

/**
 * Connects the producers of every queue, which share one connection. `prefix` separates several installations in one Redis;
 * `callTimeoutMs`: how long a call waits for an answer.
 */
export function connectQueues(
  url: string,
  {
    prefix = QUEUE_PREFIX,
    logger,
    callTimeoutMs,
  }: { prefix?: string; logger?: Logger; callTimeoutMs?: number } = {},
): Queues {
  const redis = connectRedis(url, { role: 'producer', logger, callTimeoutMs });
  const isReady = () => redis.status === 'ready';
  const created: Queue[] = [];
  const opened = new Map<QueueName, Promise<Queue>>();

  async function create(name: QueueName): Promise<Queue> {
    const { openProducer } = await import('./queue-clients.server');
    // Otherwise its first command would wait until Redis is online.
    if (!(await becomesReady(isReady))) throw queueUnavailable();
    const queue = openProducer(name, { redis, prefix });
    try {
      await queue.waitUntilReady();
    } catch (error) {
      await queue.close().catch(() => undefined);
      throw error;
    }
    created.push(queue);
    return queue;
  }

  return {
    redis,
    prefix,
    open(name) {
      const queue = opened.get(name) ?? create(name);
      opened.set(name, queue);
      // A producer whose first command failed rejects every later one (BullMQ 6.7, `RedisConnection.initializing`).
      queue.catch(() => opened.delete(name));
      return queue;
    },
    isReady,
    async close() {
      await Promise.allSettled(created.map((queue) => queue.close()));
      redis.disconnect();
    },
  };
}

/** The id of the newest event of the monitor queue: a listener starts there without a gap. Throws while Redis is offline. */
export async function newestMonitorEvent({ open, redis }: Queues): Promise<string> {
  const monitor = await open('monitor');
  const [newest] = await redis.xrevrange(monitor.toKey('events'), '+', '-', 'COUNT', 1);
  return newest?.[0] ?? '0-0';
}

/**
 * Listens for the end of jobs in the monitor queue. The caller closes it. `since`: the id of the last event that is not
 * wanted.
 */
export async function listenToMonitorQueue(
  url: string,
  { prefix, since }: { prefix: string; since: string },
): Promise<QueueEvents> {
  const { openMonitorEvents } = await import('./queue-clients.server');
  return openMonitorEvents({ redis: connectRedis(url, { role: 'worker' }), prefix, since });
}

/**
 * Whether Redis becomes ready within about 2 s. `isReady` is polled with pauses in which the process reads its sockets,
 * so that its own busy time does not count as silence of Redis.
 */
export async function becomesReady(isReady: () => boolean): Promise<boolean> {
  for (const pause of READY_PAUSES_MS) {
    if (isReady()) return true;
    await sleep(pause);
  }
  return isReady();
}

function queueUnavailable(): DomainError {
  return new DomainError('Unavailable', {
    code: 'queue_unavailable',
    message: 'A background service is not running right now. Please try again in a minute.',
  });
}

/** Throws `Unavailable` while Redis is offline, instead of waiting for it. */
export function requireReady(queues: Queues): void {
  if (!queues.isReady()) throw queueUnavailable();
}
