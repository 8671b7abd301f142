import { Link } from '@remix-run/react';
import type { ProductJudgement, Verdict } from '#shared/monitor/checks/verdict';
import { Badge } from '~/components/ui/badge';
import { LoadFailed } from '~/components/ui/notice';
import { Panel } from '~/components/ui/card';
import { buttonClass } from '~/components/ui/button';
import { checkAddress } from './monitor-addresses';
import { clockAndDay, clockSecond } from '../time/time-format';
import { VERDICT_LABELS } from './verdict-labels';
import { AVAILABILITY_STATES, availabilityText } from './products/product-words';
import { StatePill } from './state-pill';

/** The time span of the list. */
export const ACTIVITY_HOURS = 24;

export interface ActivityEntry {
  id: string;
  /** The time of the verdict (ISO-8601). */
  at: string;
  verdict: Verdict;
  /** The product's state in the check; null for a waiting room. */
  offer: Pick<ProductJudgement, 'availability' | 'detail' | 'unknownReason'> | null;
  /** The reason for the verdict, in one sentence. */
  reason: string;
  /** Null without a response. */
  httpStatus: number | null;
  responseMs: number;
  alertSent: boolean;
  /** The specification's flags: an answer after more than 30 s, and one of less than 1,000 characters. */
  slow: boolean;
  short: boolean;
}

/** One page of the checks of the last day, newest first. */
export interface RecentActivityPage {
  /** The watch. */
  slug: string;
  entries: ActivityEntry[];
  /** The URL of the previous checks; null on the last page. */
  older: string | null;
  isFirst: boolean;
  /** The server's time (ISO-8601). */
  now: string;
}

function Entry({ entry, slug, nowMs }: { entry: ActivityEntry; slug: string; nowMs: number }) {
  const { id, at, verdict, offer, reason, httpStatus, responseMs, alertSent, slow, short } = entry;
  return (
    <li className="grid gap-x-5 gap-y-1.5 py-3.5 sm:grid-cols-[11rem_minmax(0,1fr)]">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-small sm:flex-col sm:items-start">
        {offer === null ? (
          <StatePill state={verdict} label={VERDICT_LABELS[verdict]} />
        ) : (
          <StatePill state={AVAILABILITY_STATES[offer.availability]} label={availabilityText(offer)} />
        )}
        <Link
          to={checkAddress(slug, id)}
          className="inline-flex min-h-6 items-center text-brand underline underline-offset-4 hover:no-underline"
        >
          <span className="sr-only">Check at </span>
          <time dateTime={at} title={clockAndDay(at, nowMs)}>
            {clockSecond(at)}
          </time>
        </Link>
      </div>
      <div className="min-w-0">
        <p className="[overflow-wrap:anywhere]">{reason}</p>
        <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-small text-soft">
          <span>
            {httpStatus === null ? 'No response' : `HTTP ${httpStatus}`} ·{' '}
            {responseMs.toLocaleString('en-GB')} ms
          </span>
          {alertSent ? <Badge variant="error">Alert sent</Badge> : null}
          {slow ? <Badge variant="warning">Slow</Badge> : null}
          {short ? <Badge variant="warning">Short</Badge> : null}
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
        <LoadFailed retryPath={path}>Recent activity could not be loaded.</LoadFailed>
      ) : activity.entries.length === 0 ? (
        <p className="text-soft">No checks in the last {ACTIVITY_HOURS} hours.</p>
      ) : (
        <ol className="divide-y divide-line">
          {activity.entries.map((entry) => (
            <Entry key={entry.id} entry={entry} slug={activity.slug} nowMs={Date.parse(activity.now)} />
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
