import { Queue, QueueEvents } from 'bullmq';
import type { Redis } from 'ioredis';
import type { QueueName } from './catalogue';

/** The producer of a queue. Its errors are those of its connection, whose own listener logs them. */
export function openProducer(name: QueueName, { redis, prefix }: { redis: Redis; prefix: string }): Queue {
  const queue = new Queue(name, {
    connection: redis,
    prefix,
    // A finished job that stays in Redis would block a later one with the same id.
    defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
  });
  queue.on('error', () => undefined);
  return queue;
}

/**
 * A listener for the events of the monitor queue after `since`. Without an id BullMQ starts at the event that is the newest
 * when its connection reads for the first time, some time after it is ready, and misses the end of a job that is shorter
 * than that (taskforcesh/bullmq #2874).
 */
export function openMonitorEvents({
  redis,
  prefix,
  since,
}: {
  redis: Redis;
  prefix: string;
  since: string;
}): QueueEvents {
  const events = new QueueEvents('monitor', { connection: redis, prefix, lastEventId: since });
  // The producers' connection logs them.
  events.on('error', () => undefined);
  return events;
}
