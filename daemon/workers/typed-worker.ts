import { Worker, type Job, type WorkerOptions } from 'bullmq';
import type { Redis } from 'ioredis';
import { SECOND } from '#shared/clock';
import type { Logger } from '#shared/logger.server';
import { JOBS, type JobName, type JobPayload, type QueueName } from '#shared/queues/catalogue';

export interface JobCall<Payload> {
  payload: Payload;
  job: Job;
  /** Proves to BullMQ that this worker holds the job. */
  token: string;
}

/** One handler per job of the queue: a missing one fails the type check. */
export type Handlers<Q extends QueueName> = {
  [J in JobName<Q>]: (call: JobCall<JobPayload<Q, J>>) => Promise<unknown>;
};

export interface WorkerSettings {
  /** A connection with `maxRetriesPerRequest: null`. */
  connection: Redis;
  prefix: string;
  logger: Logger;
  concurrency: number;
}

export interface RunningWorker {
  worker: Worker;
  /**
   * Takes no more jobs and resolves when those that run have ended. Of a Redis that is away a worker cannot take its
   * leave: BullMQ would wait for it for ever.
   */
  stop(redisAway: boolean): Promise<void>;
}

/** A killed worker's job is found and run again after ten seconds instead of BullMQ's thirty. */
const LOCK_LASTS_MS = 10 * SECOND;
const LOOK_FOR_STALLED_EVERY_MS = 5 * SECOND;

/**
 * Starts a worker whose payloads are checked against the catalogue. A job that fails is logged and gone:
 * what must be done again is known to the database, not to Redis.
 */
export function startWorker<Q extends QueueName>(
  queue: Q,
  handlers: Handlers<Q>,
  { connection, prefix, logger, concurrency }: WorkerSettings,
): RunningWorker {
  const schemas = JOBS[queue];
  const running = new Set<Promise<unknown>>();
  const options: WorkerOptions = {
    connection,
    prefix,
    concurrency,
    lockDuration: LOCK_LASTS_MS,
    stalledInterval: LOOK_FOR_STALLED_EVERY_MS,
    maxStalledCount: 3,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  };
  const worker = new Worker(
    queue,
    async (job, token = '') => {
      if (!Object.hasOwn(schemas, job.name)) throw new Error(`no such job in ${queue}: ${job.name}`);
      const name = job.name as JobName<Q>;
      const payload = (schemas[name] as { parse(data: unknown): JobPayload<Q, typeof name> }).parse(job.data);
      const work = handlers[name]({ payload, job, token });
      running.add(work);
      return work.finally(() => running.delete(work));
    },
    options,
  );
  worker.on('failed', (job, error) => {
    logger.error({ err: error, queue, job: job?.name, jobId: job?.id }, 'a job failed');
  });
  worker.on('error', (error) => {
    // Connection losses are told by the connection itself.
    logger.debug({ reason: error.message, queue }, 'the worker met an error');
  });
  return {
    worker,
    async stop(redisAway) {
      await worker.close(redisAway);
      await Promise.allSettled(running);
    },
  };
}
