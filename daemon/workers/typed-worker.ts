import { Worker, type Job, type WorkerOptions } from 'bullmq';
import type { Redis } from 'ioredis';
import { SECOND } from '#shared/clock';
import { levelOf } from '#shared/database/database-errors';
import type { Logger } from '#shared/logger.server';
import { JOBS, type JobName, type JobPayload, type QueueName } from '#shared/queues/catalogue';

export interface JobCall<Payload> {
  payload: Payload;
  job: Job;
  /** BullMQ's lock token: proves that this worker holds the job. */
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
  /** Takes no more jobs; resolves when the running ones end. `force`: Redis is away, and a graceful close never resolves. */
  stop(force: boolean): Promise<void>;
}

/** A killed worker's job runs again after ten seconds. BullMQ's default is thirty. */
const LOCK_LIFETIME_MS = 10 * SECOND;
const CHECK_STALLED_EVERY_MS = 5 * SECOND;
/**
 * A process that a busy machine blocks for longer than a lock lasts loses the locks of its jobs. They are restarted up to
 * three times, while the first run may continue: claims and leases let only one of them work.
 */
const MAX_STALLED = 3;
const STALLED =
  'the queue dropped a job that lost its lock too often because this machine is too busy: the next run or sweep does what is stored; a check, judgement or preview that was asked for must be asked for again';
/** The pause after a lost connection. BullMQ's default is fifteen seconds. */
const RETRY_EVERY_MS = SECOND;

/** Starts a worker that validates payloads. A failed job is logged and removed: the database plans retries, not Redis. */
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
    lockDuration: LOCK_LIFETIME_MS,
    stalledInterval: CHECK_STALLED_EVERY_MS,
    maxStalledCount: MAX_STALLED,
    runRetryDelay: RETRY_EVERY_MS,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  };
  const worker = new Worker(
    queue,
    async (job, token = '') => {
      if (!Object.hasOwn(schemas, job.name)) throw new Error(`unknown job in ${queue}: ${job.name}`);
      const name = job.name as JobName<Q>;
      const payload = (schemas[name] as { parse(data: unknown): JobPayload<Q, typeof name> }).parse(job.data);
      const work = handlers[name]({ payload, job, token });
      running.add(work);
      return work.finally(() => running.delete(work));
    },
    options,
  );
  worker.on('failed', (job, error) => {
    const line = { err: error, queue, job: job?.name, jobId: job?.id };
    // BullMQ's message for a job that lost its lock too often (moveStalledJobsToWait).
    if (job?.deferredFailure) logger.warn(line, STALLED);
    else logger[levelOf(error)](line, 'a job failed');
  });
  worker.on('error', (error) => {
    // The connection logs its losses itself.
    logger.debug({ reason: error.message, queue }, 'a worker error');
  });
  return {
    worker,
    async stop(force) {
      await worker.close(force);
      await Promise.allSettled(running);
    },
  };
}
