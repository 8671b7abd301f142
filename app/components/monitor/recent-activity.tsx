import { Link } from '@remix-run/react';
import type { Verdict } from '#shared/monitor/checks/verdict';
import { LoadFailed } from '~/components/admin/load-failed';
import { Panel } from '~/components/panel';
import { buttonClass } from '~/components/ui/button-look';
import { clockAndDay, clockSecond } from './spoken-time';
import { StatePill } from './state-pill';

/** How far back the list reaches. */
export const ACTIVITY_HOURS = 24;

export interface ActivityEntry {
  id: string;
  /** When the check reached its verdict, as ISO time. */
  at: string;
  verdict: Verdict;
  /** Why, in one sentence. */
  reason: string;
  /** Null when no answer came. */
  httpStatus: number | null;
  responseMs: number;
  alertSent: boolean;
}

/** One page of the checks of the last day, newest first. */
export interface RecentActivityPage {
  entries: ActivityEntry[];
  /** Leads to the checks before these; null on the last page. */
  older: string | null;
  isFirst: boolean;
  /** The server's clock, as ISO time. */
  now: string;
}

const WORDS: Record<Verdict, string> = { open: 'Open', waiting_room: 'Waiting room', unknown: 'Unknown' };

function Entry({ entry, nowMs }: { entry: ActivityEntry; nowMs: number }) {
  const { at, verdict, reason, httpStatus, responseMs, alertSent } = entry;
  return (
    <li className="grid gap-x-5 gap-y-1.5 py-3.5 sm:grid-cols-[11rem_minmax(0,1fr)]">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-small sm:flex-col sm:items-start">
        <StatePill face={verdict} word={WORDS[verdict]} />
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

/** The checks of the last day, a page at a time; null: they could not be read. */
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
