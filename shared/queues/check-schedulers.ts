import type { JobSchedulerJson } from 'bullmq';
import { SECOND } from '../clock';
import { JOBS } from './catalogue';
import { requireReady, type Queues } from './connection.server';

/** A scheduler whose next check is this late, or planned this far beyond its interval, is replaced. */
const TOLERANCE_MS = 10 * SECOND;

/** BullMQ compares start times with its own clock. */
const realNow = (): number => Date.now();

/** The id of the scheduler of a watch's checks. */
const schedulerOf = (watchId: string): string => `check-${watchId}`;

export interface SchedulerState {
  watch: { id: string; running: 0 | 1; interval_seconds: number };
  /** A check is being made, so the next one may be late. */
  checking: boolean;
  now: number;
}

type Existing = Pick<JobSchedulerJson, 'next' | 'every'>;

/** What a watch's scheduler needs, so that it exists exactly while the watch runs and has the current interval. */
function changeOf(
  { watch, checking, now }: SchedulerState,
  scheduler: Existing | undefined,
): 'none' | 'remove' | 'create' | 'replace' {
  if (watch.running === 0) return scheduler === undefined ? 'none' : 'remove';
  if (scheduler === undefined) return 'create';
  const intervalMs = watch.interval_seconds * SECOND;
  // BullMQ replaces the next job of a scheduler that is created again with another interval.
  if (Number(scheduler.every) !== intervalMs) return 'create';
  const { next } = scheduler;
  if (next === undefined) return 'none';
  // Late: its next job was lost with Redis's data. Early: planned before the wall clock was set back.
  const late = now - next > intervalMs + TOLERANCE_MS && !checking;
  const early = next - now > intervalMs + TOLERANCE_MS;
  return late || early ? 'replace' : 'none';
}

/** Creates a scheduler whose first check comes at `startAt`, and each next one an interval later. */
async function createScheduler(
  queues: Queues,
  { id, interval_seconds }: SchedulerState['watch'],
  startAt: number,
): Promise<void> {
  const monitor = await queues.open('monitor');
  await monitor.upsertJobScheduler(
    schedulerOf(id),
    { every: interval_seconds * SECOND, startDate: Math.round(startAt) },
    {
      name: 'check',
      data: JOBS.monitor.check.parse({ watchId: id, trigger: 'schedule' }),
      opts: { removeOnComplete: true, removeOnFail: true },
    },
  );
}

/**
 * Syncs the check scheduler of one watch with its state. The first check comes at once. The next ones follow at a random
 * phase, because watches that were started together would otherwise be checked together from then on.
 */
export async function syncScheduler(queues: Queues, state: SchedulerState): Promise<void> {
  requireReady(queues);
  const { watch } = state;
  const monitor = await queues.open('monitor');
  const id = schedulerOf(watch.id);
  const change = changeOf(state, await monitor.getJobScheduler(id));
  if (change === 'remove' || change === 'replace') await monitor.removeJobScheduler(id);
  if (change !== 'create' && change !== 'replace') return;
  await createScheduler(queues, watch, realNow() + (0.25 + Math.random()) * watch.interval_seconds * SECOND);
  await monitor.add('check', JOBS.monitor.check.parse({ watchId: watch.id, trigger: 'schedule' }));
}

/**
 * Syncs the check schedulers of all watches with their states, and removes those of other watches. The first checks of
 * schedulers that are created together are spread over the interval, so that 200 watches are never checked at the same
 * moment, then or later. Returns the ids of the watches whose schedulers changed.
 */
export async function syncSchedulers(
  queues: Queues,
  states: readonly SchedulerState[],
): Promise<{ created: string[]; removed: string[] }> {
  requireReady(queues);
  const monitor = await queues.open('monitor');
  const existing = new Map<string, Existing>();
  for (const scheduler of await monitor.getJobSchedulers()) existing.set(scheduler.key, scheduler);
  const removed: string[] = [];
  const due: SchedulerState['watch'][] = [];
  for (const state of states) {
    const id = schedulerOf(state.watch.id);
    const change = changeOf(state, existing.get(id));
    existing.delete(id);
    if (change === 'remove' || change === 'replace') await monitor.removeJobScheduler(id);
    if (change === 'remove') removed.push(state.watch.id);
    if (change === 'create' || change === 'replace') due.push(state.watch);
  }
  const from = realNow();
  for (const [index, watch] of due.entries())
    await createScheduler(queues, watch, from + (index / due.length) * watch.interval_seconds * SECOND);
  for (const id of existing.keys()) await monitor.removeJobScheduler(id);
  return { created: due.map(({ id }) => id), removed: [...removed, ...existing.keys()] };
}
