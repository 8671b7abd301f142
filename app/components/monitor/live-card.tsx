import { Link } from '@remix-run/react';
import { Fragment } from 'react';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import type { CheckBand, MonitorStatus } from '#shared/monitor/read-status.server';
import { Card } from '~/components/ui/card';
import { OfflineIcon } from '~/components/ui/icons';
import { CheckStrip } from './check-strip';
import { VerdictLegend } from './verdict-bands';
import { checksNow, describeMonitor, type Running } from './monitor-view';
import { StatePill } from './state-pill';
import { clockAndDay, clockMinute, clockSecond, countdown, elapsed, inZone } from '../time/time-format';
import { useNow } from '../time/dates';

/** The time span of the chart. */
export const STRIP_HOURS = 12;
const STRIP_MS = STRIP_HOURS * 60 * 60 * 1000;

export interface LiveMonitor {
  status: MonitorStatus;
  bands: CheckBand[];
  /** The slug and the title of the watch. */
  slug: string;
  shop: string;
  /** IANA name of the time zone of the hours. */
  timeZone: string;
  /** "9am to 9pm" */
  hoursInWords: string;
  /** The server's time when it read this state (ISO-8601). */
  now: string;
  /** The last refresh failed; set in the browser only. */
  lost?: boolean;
}

/** After a failed refresh, an older state is shown as outdated. */
const OUTDATED_MS = 60_000;

/** A message that is not sent by then is reported as missing. */
const DELIVERY_LIMIT_MS = 60_000;

function RunningTime({ running, nowMs }: { running: Running; nowMs: number }) {
  return (
    <time dateTime={running.at} className="whitespace-nowrap">
      {running.kind === 'elapsed' ? elapsed(running.at, nowMs) : countdown(running.at, nowMs)}
    </time>
  );
}

interface NotifiedProps {
  audience: string;
  at: string | null;
  openedAt: string;
  nowMs: number;
}

function Notified({ audience, at, openedAt, nowMs }: NotifiedProps) {
  const missing = nowMs - Date.parse(openedAt) < DELIVERY_LIMIT_MS ? 'not yet' : 'no message went out';
  return (
    <>
      <dt className="text-soft">{audience}</dt>
      <dd className="text-right">
        {at === null ? (
          <span className="text-soft">{missing}</span>
        ) : (
          <time dateTime={at}>{clockSecond(at)}</time>
        )}
      </dd>
    </>
  );
}

/** The monitor's current state. Complete without scripts; with them its times are updated each second. */
export function LiveCard({ live }: { live: LiveMonitor }) {
  const { status, bands } = live;
  const nowMs = useNow(live.now);
  const serverNowMs = Date.parse(live.now);
  const view = describeMonitor(status, bands, serverNowMs);
  const stripFromMs = serverNowMs - STRIP_MS;
  const outdated = live.lost === true && nowMs - serverNowMs > OUTDATED_MS;
  const facts: [string, string][] = [
    ['Monitoring hours', inZone(live.hoursInWords, live.timeZone)],
    ['Within them now', status.withinHours ? 'yes' : 'no'],
    ['Checked', checksNow(status) ?? 'not right now'],
  ];

  return (
    <Card
      edge={view.state === 'waiting_room' && status.alert !== null ? 'foil' : 'plain'}
      label="Live monitor"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-[22px] pt-5 text-small tracking-[0.02em] text-soft">
        <h2 className="font-sans text-small font-normal tracking-[0.02em] wrap-anywhere">{live.shop}</h2>
        {view.next === null ? null : (
          <p className="min-w-48 sm:text-right">
            {view.next.label} <RunningTime running={view.next.running} nowMs={nowMs} />
          </p>
        )}
      </div>

      <div className="px-[22px] pt-6" data-monitor-state={view.state}>
        <StatePill state={view.state} label={view.label} />
        <p className="mt-3.5 font-display text-heading font-bold tracking-[-0.02em]">
          {view.headline}
          {view.running === null ? null : (
            <>
              {' '}
              <RunningTime running={view.running} nowMs={nowMs} />
            </>
          )}
        </p>
        <p className="mt-3 min-h-[4lh] text-soft sm:min-h-[3lh]">
          {`${view.explanation} ${view.lastCheck}`.trim()}
        </p>
        {outdated ? (
          <p role="status" className="mt-3 flex items-start gap-2 font-semibold text-unknown">
            <OfflineIcon />
            <span>
              Not up to date: last updated at <time dateTime={live.now}>{clockSecond(live.now)}</time>. We
              keep trying.
            </span>
          </p>
        ) : null}
      </div>

      <div className="mt-5 px-[22px]">
        <CheckStrip bands={bands} fromMs={stripFromMs} toMs={serverNowMs} />
        <p className="mt-1 mb-2 flex justify-between text-small text-soft">
          <time dateTime={new Date(stripFromMs).toISOString()}>
            {clockMinute(new Date(stripFromMs).toISOString())}
          </time>
          <span>now</span>
        </p>
        <VerdictLegend />
      </div>

      {/* With the space of an open alert's three rows, so that nothing below it moves when one opens. */}
      <dl className="mt-5 grid min-h-[calc(6lh+4.25rem)] grid-cols-[auto_1fr] content-start gap-x-6 gap-y-1.5 border-t border-line px-[22px] pt-4 pb-5 text-small">
        {facts.map(([name, value]) => (
          <Fragment key={name}>
            <dt className="text-soft">{name}</dt>
            <dd className="text-right">{value}</dd>
          </Fragment>
        ))}
        {status.alert === null ? null : (
          <>
            <dt className="text-soft">Opened</dt>
            <dd className="text-right">
              <time dateTime={status.alert.openedAt}>{clockAndDay(status.alert.openedAt, serverNowMs)}</time>
            </dd>
            <Notified
              audience="Pro told"
              at={status.alert.instantNotifiedAt}
              openedAt={status.alert.openedAt}
              nowMs={nowMs}
            />
            <Notified
              audience="Everyone told"
              at={status.alert.freeNotifiedAt}
              openedAt={status.alert.openedAt}
              nowMs={nowMs}
            />
          </>
        )}
      </dl>
      <p className="border-t border-line px-[22px] py-2 text-small">
        <Link
          to={live.slug === DEFAULT_WATCH_ID ? '/status' : `/status?watch=${live.slug}`}
          className="inline-block py-1.5 font-semibold underline-offset-4 hover:underline"
        >
          Status and usual hours
        </Link>
      </p>
    </Card>
  );
}

/** Shown instead of the live card if the monitor's state could not be read. */
export function NoLiveCard() {
  return (
    <Card label="Live monitor">
      <div className="grid gap-2 p-6">
        <h2 className="text-lead">Live status is unavailable.</h2>
        <p className="text-soft">Alerts run separately and aren’t affected.</p>
      </div>
    </Card>
  );
}
