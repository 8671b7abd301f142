import { Link } from '@remix-run/react';
import type { Verdict } from '#shared/monitor/checks/verdict';
import { LoadFailed } from '~/components/ui/notice';
import { Panel } from '~/components/ui/panel';
import { buttonClass } from '~/components/ui/button';
import { clockAndDay, clockSecond } from './time-format';
import { VERDICT_LABELS } from './monitor-view';
import { StatePill } from './state-pill';

/** The time span of the list. */
export const ACTIVITY_HOURS = 24;

export interface ActivityEntry {
  id: string;
  /** The time of the verdict (ISO-8601). */
  at: string;
  verdict: Verdict;
  /** The reason for the verdict, in one sentence. */
  reason: string;
  /** Null without a response. */
  httpStatus: number | null;
  responseMs: number;
  alertSent: boolean;
}

/** One page of the checks of the last day, newest first. */
export interface RecentActivityPage {
  entries: ActivityEntry[];
  /** The URL of the previous checks; null on the last page. */
  older: string | null;
  isFirst: boolean;
  /** The server's time (ISO-8601). */
  now: string;
}

function Entry({ entry, nowMs }: { entry: ActivityEntry; nowMs: number }) {
  const { at, verdict, reason, httpStatus, responseMs, alertSent } = entry;
  return (
    <li className="grid gap-x-5 gap-y-1.5 py-3.5 sm:grid-cols-[11rem_minmax(0,1fr)]">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-small sm:flex-col sm:items-start">
        <StatePill state={verdict} label={VERDICT_LABELS[verdict]} />
        <time dateTime={at} title={clockAndDay(at, nowMs)}>
          {clockSecond(at)}
        </time>
      </div>
      <div className="min-w-0">
        <p className="[overflow-wrap:anywhere]">{reason}</p>
        <p className="mt-1 text-small text-soft">
          {httpStatus === null ? 'No answer' : `HTTP ${httpStatus}`} · {responseMs} ms
          {alertSent ? ' · Alert sent' : null}
        </p>
      </div>
    </li>
  );
}

/** The checks of the last day, paginated. `activity`: null if they could not be read. */
export function RecentActivity({ activity, path }: { activity: RecentActivityPage | null; path: string }) {
  return (
    <Panel title={`Recent Activity (Last ${ACTIVITY_HOURS} Hours)`}>
      {activity === null ? (
        <LoadFailed again={path}>Recent activity could not be loaded.</LoadFailed>
      ) : activity.entries.length === 0 ? (
        <p className="text-soft">No checks in the last {ACTIVITY_HOURS} hours.</p>
      ) : (
        <ol className="divide-y divide-line">
          {activity.entries.map((entry) => (
            <Entry key={entry.id} entry={entry} nowMs={Date.parse(activity.now)} />
          ))}
        </ol>
      )}
      {activity === null || (activity.isFirst && activity.older === null) ? null : (
        <nav aria-label="Pages of the activity" className="flex flex-wrap gap-3">
          {activity.isFirst ? null : (
            <Link to={path} rel="prev" preventScrollReset className={buttonClass()}>
              Newest checks
            </Link>
          )}
          {activity.older === null ? null : (
            <Link to={activity.older} rel="next" preventScrollReset className={buttonClass()}>
              Older checks
            </Link>
          )}
        </nav>
      )}
    </Panel>
  );
}
