import type { MemberAlerts } from '../delivery/member-alerts';
import { startWorker, type RunningWorker, type WorkerSettings } from './typed-worker';

/** One job per channel and one that lists; jobs of the same kind join the run that is under way. */
const JOB_CONCURRENCY = 8;

/** Lists the members of alerts and sends to them. A retry is a new job with its own due time. */
export function startMembersWorker(
  members: Pick<MemberAlerts, 'fanOut' | 'send'>,
  settings: Omit<WorkerSettings, 'concurrency'>,
): RunningWorker {
  return startWorker(
    'members',
    { fanOut: () => members.fanOut(), send: ({ payload }) => members.send(payload.channel) },
    { ...settings, concurrency: JOB_CONCURRENCY },
  );
}
