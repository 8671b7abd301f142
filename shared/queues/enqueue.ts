import type { Job } from 'bullmq';
import { SECOND } from '../clock';
import { JOBS, type DueDelivery } from './catalogue';
import { requireReady, type Queues } from './connection.server';

const CHECK_SCHEDULER = 'check';
const RESULT_KEPT_SECONDS = 60;

/** Asks for a check outside the schedule. Throws `Unavailable` while Redis is away. */
export async function enqueueCheck(
  queues: Queues,
  {
    trigger,
    requestedAt,
    delayMs = 0,
  }: { trigger: 'manual' | 'confirm'; requestedAt?: number; delayMs?: number },
): Promise<Job> {
  requireReady(queues);
  // Whoever asked may still be reading the result when the job has ended.
  const keep = trigger === 'manual' ? { age: RESULT_KEPT_SECONDS } : true;
  return queues.monitor.add('check', JOBS.monitor.check.parse({ trigger, requestedAt }), {
    delay: delayMs,
    removeOnComplete: keep,
    removeOnFail: keep,
  });
}

/** Hands deliveries to the workers, each at its due time. A delivery that waits already is not added twice. */
export async function enqueueDeliveries(
  queues: Queues,
  due: readonly DueDelivery[],
  now: number,
): Promise<void> {
  if (due.length === 0) return;
  requireReady(queues);
  await queues.alerts.addBulk(
    due.map(({ id, attempt, dueAt }) => ({
      name: 'deliver',
      data: JOBS.alerts.deliver.parse({ deliveryId: id, attempt }),
      opts: { jobId: `${id}-${attempt}`, delay: Math.max(0, dueAt - now) },
    })),
  );
}

/** Hands mails to the workers, each at its due time. A mail that waits already is not added twice. */
export async function enqueueMails(queues: Queues, due: readonly DueDelivery[], now: number): Promise<void> {
  if (due.length === 0) return;
  requireReady(queues);
  await queues.mail.addBulk(
    due.map(({ id, attempt, dueAt }) => ({
      name: 'send',
      data: JOBS.mail.send.parse({ mailId: id, attempt }),
      opts: { jobId: `${id}-${attempt}`, delay: Math.max(0, dueAt - now) },
    })),
  );
}

export interface SchedulerState {
  running: boolean;
  intervalMs: number;
  /** A check is being made, so the next one may rightly be late. */
  checking: boolean;
  now: number;
}

/**
 * Makes the check scheduler exist exactly while monitoring runs, with the interval in force. Also mends one whose
 * next job was lost with Redis. Returns what it did.
 */
export async function followMonitorState(
  queues: Queues,
  { running, intervalMs, checking, now }: SchedulerState,
): Promise<'none' | 'created' | 'removed'> {
  requireReady(queues);
  const scheduler = await queues.monitor.getJobScheduler(CHECK_SCHEDULER);
  if (!running) {
    if (scheduler === undefined) return 'none';
    await queues.monitor.removeJobScheduler(CHECK_SCHEDULER);
    return 'removed';
  }
  const late = scheduler?.next !== undefined && now - scheduler.next > intervalMs + 10 * SECOND && !checking;
  // Planned before the wall clock was set back: BullMQ would wait until the old time comes again.
  const early = scheduler?.next !== undefined && scheduler.next - now > intervalMs + 10 * SECOND;
  if (scheduler !== undefined && Number(scheduler.every) === intervalMs && !late && !early) return 'none';
  if (late || early) await queues.monitor.removeJobScheduler(CHECK_SCHEDULER);
  await queues.monitor.upsertJobScheduler(
    CHECK_SCHEDULER,
    { every: intervalMs },
    {
      name: 'check',
      data: JOBS.monitor.check.parse({ trigger: 'schedule' }),
      opts: { removeOnComplete: true, removeOnFail: true },
    },
  );
  return 'created';
}

/** The housekeeping clockwork; a scheduler that ticks at its pace is left alone. */
export async function scheduleHousekeeping(
  queues: Queues,
  every: Record<keyof typeof JOBS.housekeeping, number>,
  now: number,
): Promise<void> {
  requireReady(queues);
  for (const name of Object.keys(JOBS.housekeeping) as (keyof typeof JOBS.housekeeping)[]) {
    const scheduler = await queues.housekeeping.getJobScheduler(name);
    const ticks = scheduler?.next !== undefined && Math.abs(now - scheduler.next) < every[name] + 2 * SECOND;
    if (ticks && Number(scheduler?.every) === every[name]) continue;
    if (scheduler !== undefined) await queues.housekeeping.removeJobScheduler(name);
    await queues.housekeeping.upsertJobScheduler(
      name,
      { every: every[name] },
      { name, data: JOBS.housekeeping[name].parse({}), opts: { removeOnComplete: true, removeOnFail: true } },
    );
  }
}
