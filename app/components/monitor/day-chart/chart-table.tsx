import { Link } from '@remix-run/react';
import { describeDuration, toIso } from '#shared/clock';
import type { ChartAlert, CheckTotals, DayChart } from '#shared/monitor/day-chart/day-chart';
import { ChevronIcon } from '~/components/ui/icons';
import { checkAddress } from '../monitor-addresses';
import { clockAndDay, clockSecond } from '../../time/time-format';
import { VERDICT_LABELS } from '../verdict-labels';
import { shortDuration } from './chart-text';

/** More would make the page too large for a phone. */
const LISTED_ALERTS = 10;

const CELL = 'py-1.5 pr-3 text-right font-normal whitespace-nowrap last:pr-0';

function HourRow({
  startMs,
  open,
  waiting_room,
  unknown,
  medianMs,
  slowestMs,
  nowMs,
}: CheckTotals & { startMs: number; nowMs: number }) {
  const at = toIso(startMs);
  const times = [medianMs, slowestMs].map((ms) => (ms === null ? '–' : shortDuration(ms)));
  return (
    <tr>
      <th scope="row" className="py-1.5 pr-3 text-left font-semibold whitespace-nowrap">
        <time dateTime={at}>{clockAndDay(at, nowMs)}</time>
      </th>
      {[waiting_room, open, unknown, ...times].map((value, index) => (
        <td key={index} className={CELL}>
          {value}
        </td>
      ))}
    </tr>
  );
}

function AlertRow({ alert, slug }: { alert: ChartAlert; slug: string }) {
  const { openedAt, endedAt, status, openingCheckId } = alert;
  const lasted = endedAt === null ? null : describeDuration(Date.parse(endedAt) - Date.parse(openedAt));
  return (
    <li>
      <Link
        to={checkAddress(slug, openingCheckId)}
        className="font-semibold text-brand underline underline-offset-4 hover:no-underline"
      >
        Alert at <time dateTime={openedAt}>{clockSecond(openedAt)}</time>
      </Link>
      {endedAt === null ? (
        ', still open'
      ) : (
        <>
          {status === 'suspended' ? ', paused at ' : ', closed at '}
          <time dateTime={endedAt}>{clockSecond(endedAt)}</time> after {lasted}
        </>
      )}
    </li>
  );
}

/** The drawing as text: its alerts, and a table of its hours. Newest first. */
export function ChartTable({ chart, slug }: { chart: DayChart; slug: string }) {
  return (
    <>
      {chart.alerts.length === 0 ? null : (
        <ul className="grid gap-1.5 text-small">
          {chart.alerts
            .slice(-LISTED_ALERTS)
            .toReversed()
            .map((alert) => (
              <AlertRow key={alert.id} alert={alert} slug={slug} />
            ))}
          {chart.alerts.length > LISTED_ALERTS ? (
            <li className="text-soft">
              These are the newest {LISTED_ALERTS}. Recent Activity marks the checks whose alert was sent.
            </li>
          ) : null}
        </ul>
      )}
      <details className="group">
        <summary className="flex min-h-11 w-fit cursor-pointer list-none items-center gap-2 font-semibold text-brand [&::-webkit-details-marker]:hidden">
          The chart as a table
          <span className="transition group-open:rotate-180">
            <ChevronIcon />
          </span>
        </summary>
        <div className="overflow-x-auto" role="region" aria-label="The chart as a table" tabIndex={0}>
          <table className="w-full text-small">
            <caption className="sr-only">Checks per hour, UK time, newest first</caption>
            <thead className="text-soft">
              <tr className="border-b border-line">
                <th scope="col" className="py-1.5 pr-3 text-left font-normal">
                  Hour from
                </th>
                {[
                  VERDICT_LABELS.waiting_room,
                  VERDICT_LABELS.open,
                  VERDICT_LABELS.unknown,
                  'Usual time',
                  'Slowest',
                ].map((name) => (
                  <th key={name} scope="col" className={CELL}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="divide-y divide-line">
              {chart.hours.toReversed().map((hour) => (
                <HourRow key={hour.startMs} {...hour} nowMs={chart.nowMs} />
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </>
  );
}
