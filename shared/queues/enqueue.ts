import type { Job } from 'bullmq';
import { SECOND } from '../clock';
import { JOBS, type DueDelivery, type JobPayload } from './catalogue';
import { requireReady, type Queues } from './connection.server';

const RESULT_RETENTION_SECONDS = 60;
const OPENINGS_APART_MS = SECOND / 4;

/**
 * Adds a check outside the schedule, unless a job with this `jobId` waits or runs. Throws `Unavailable` while Redis is
 * offline.
 */
export async function enqueueCheck(
  queues: Queues,
  {
    watchId,
    trigger,
    requestedAt,
    jobId,
    delayMs = 0,
  }: {
    watchId: string;
    trigger: 'schedule' | 'manual' | 'confirm';
    requestedAt?: number;
    jobId?: string;
    delayMs?: number;
  },
): Promise<Job> {
  requireReady(queues);
  // A waiting caller reads the result after the job has ended.
  const keep = trigger === 'manual' ? { age: RESULT_RETENTION_SECONDS } : true;
  const monitor = await queues.open('monitor');
  return monitor.add('check', JOBS.monitor.check.parse({ watchId, trigger, requestedAt }), {
    ...(jobId !== undefined && { jobId }),
    delay: delayMs,
    removeOnComplete: keep,
    removeOnFail: keep,
  });
}

/** A monitoring window (by its start in epoch ms) whose first check is due. */
export interface DueOpening {
  watchId: string;
  windowStart: number;
}

/**
 * Adds the first scheduled checks of monitoring windows that have opened, a quarter of a second apart. A check that still
 * waits is not added again. Throws `Unavailable` while Redis is offline.
 */
export async function enqueueOpenings(queues: Queues, openings: readonly DueOpening[]): Promise<void> {
  if (openings.length === 0) return;
  requireReady(queues);
  const monitor = await queues.open('monitor');
  await monitor.addBulk(
    openings.map(({ watchId, windowStart }, index) => ({
      name: 'check',
      data: JOBS.monitor.check.parse({ watchId, trigger: 'schedule' }),
      opts: {
        jobId: `opening-${watchId}-${windowStart}`,
        delay: index * OPENINGS_APART_MS,
        removeOnComplete: true,
        removeOnFail: true,
      },
    })),
  );
}

/** Adds the job that judges the stored page of a check. Throws `Unavailable` while Redis is offline. */
export async function enqueueJudgement(queues: Queues, { checkId }: { checkId: string }): Promise<Job> {
  requireReady(queues);
  const keep = { age: RESULT_RETENTION_SECONDS };
  const monitor = await queues.open('monitor');
  return monitor.add('judge', JOBS.monitor.judge.parse({ checkId }), {
    removeOnComplete: keep,
    removeOnFail: keep,
  });
}

/** Adds the job that looks at the page of a preview. Throws `Unavailable` while Redis is offline. */
export async function enqueuePreview(queues: Queues, previewId: string): Promise<Job> {
  requireReady(queues);
  const keep = { age: RESULT_RETENTION_SECONDS };
  const monitor = await queues.open('monitor');
  return monitor.add('preview', JOBS.monitor.preview.parse({ previewId }), {
    jobId: `preview-${previewId}`,
    removeOnComplete: keep,
    removeOnFail: keep,
  });
}

/** The queues with a job for each row of their outbox, with the job's name. */
const ROW_JOBS = {
  alerts: 'deliver',
  mail: 'send',
  payments: 'apply',
  exports: 'make',
  roles: 'set',
} as const;
export type RowQueue = keyof typeof ROW_JOBS;

/** Adds a job for each outbox row, delayed to its due time. A job that already waits is not added again. */
export async function enqueueDue(
  queues: Queues,
  queue: RowQueue,
  due: readonly DueDelivery[],
  now: number,
): Promise<void> {
  if (due.length === 0) return;
  requireReady(queues);
  const producer = await queues.open(queue);
  await producer.addBulk(
    due.map(({ id, attempt, dueAt }) => ({
      name: ROW_JOBS[queue],
      data: { id, attempt },
      opts: { jobId: `${id}-${attempt}`, delay: Math.max(0, dueAt - now) },
    })),
  );
}

/** Adds the job that lists the members of an alert. Repeated calls add it once. */
export async function enqueueFanOut(queues: Queues, alertId: string): Promise<void> {
  requireReady(queues);
  const members = await queues.open('members');
  await members.add('fanOut', JOBS.members.fanOut.parse({ alertId }), { jobId: `fan-out-${alertId}` });
}

/** Adds the jobs that send what is due over a channel at these times (epoch ms), one job per second. */
export async function enqueueMemberBatches(
  queues: Queues,
  channel: JobPayload<'members', 'send'>['channel'],
  dueAt: readonly number[],
  now: number,
): Promise<void> {
  requireReady(queues);
  const seconds = new Set(dueAt.map((time) => Math.ceil(time / SECOND)));
  const members = await queues.open('members');
  await members.addBulk(
    [...seconds].map((second) => ({
      name: 'send',
      data: JOBS.members.send.parse({ channel }),
      opts: { jobId: `${channel}-${second}`, delay: Math.max(0, second * SECOND - now) },
    })),
  );
}

/** Starts a housekeeping job now, beside its schedule. Throws `Unavailable` while Redis is offline. */
export async function enqueueHousekeeping(
  queues: Queues,
  name: keyof typeof JOBS.housekeeping,
): Promise<void> {
  requireReady(queues);
  const housekeeping = await queues.open('housekeeping');
  await housekeeping.add(name, JOBS.housekeeping[name].parse({}), {
    removeOnComplete: true,
    removeOnFail: true,
  });
}

/** Creates the schedulers of the housekeeping jobs with these intervals, unless on time, and removes unknown ones. */
export async function scheduleHousekeeping(
  queues: Queues,
  every: Record<keyof typeof JOBS.housekeeping, number>,
  now: number,
): Promise<void> {
  requireReady(queues);
  const housekeeping = await queues.open('housekeeping');
  const schedulers = await housekeeping.getJobSchedulers();
  for (const { key } of schedulers)
    if (!Object.hasOwn(JOBS.housekeeping, key)) await housekeeping.removeJobScheduler(key);
  for (const name of Object.keys(JOBS.housekeeping) as (keyof typeof JOBS.housekeeping)[]) {
    const scheduler = schedulers.find(({ key }) => key === name);
    const onTime = scheduler?.next !== undefined && Math.abs(now - scheduler.next) < every[name] + 2 * SECOND;
    if (onTime && Number(scheduler.every) === every[name]) continue;
    if (scheduler !== undefined) await housekeeping.removeJobScheduler(name);
    await housekeeping.upsertJobScheduler(
      name,
      { every: every[name] },
      { name, data: JOBS.housekeeping[name].parse({}), opts: { removeOnComplete: true, removeOnFail: true } },
    );
  }
}
