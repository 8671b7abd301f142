import { Fragment } from 'react';
import type { CheckBand, MonitorStatus } from '#shared/monitor/read-status.server';
import { SHOP } from '#shared/brand';
import { Card } from '~/components/ui/card';
import { OfflineIcon } from '~/components/ui/icons';
import { CheckStripLegend, CheckStripPicture } from './check-strip-picture';
import { checksNow, describeMonitor, type Running } from './monitor-view';
import { clockAndDay, clockMinute, clockSecond, countdown, elapsed, inUkTime } from './spoken-time';
import { StatePill } from './state-pill';
import { useNow } from './use-now';

/** How far back the picture reaches. */
export const STRIP_HOURS = 12;
const STRIP_MS = STRIP_HOURS * 60 * 60 * 1000;

export interface LiveMonitor {
  status: MonitorStatus;
  bands: CheckBand[];
  /** "9am to 9pm" */
  hoursInWords: string;
  /** The server's clock when it read all this, as ISO time. */
  now: string;
  /** Something newer was asked for and did not come; only the browser knows. */
  lost?: boolean;
}

/** A state that is older is no longer "right now", when nothing newer comes. */
const OUTDATED_MS = 60_000;

/** A message that is not out by then is late; before, it is on its way. */
const TELLING_MS = 60_000;

function runningText({ kind, at }: Running, nowMs: number): string {
  return kind === 'elapsed' ? elapsed(at, nowMs) : countdown(at, nowMs);
}

function RunningTime({ running, nowMs }: { running: Running; nowMs: number }) {
  return (
    <time dateTime={running.at} className="whitespace-nowrap">
      {runningText(running, nowMs)}
    </time>
  );
}

interface ToldProps {
  audience: string;
  at: string | null;
  openedAt: string;
  nowMs: number;
}

function Told({ audience, at, openedAt, nowMs }: ToldProps) {
  const missing = nowMs - Date.parse(openedAt) < TELLING_MS ? 'not yet' : 'no message went out';
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

/** What the shop shows right now, as a card. Complete without scripts; with them its times run. */
export function LiveCard({ live }: { live: LiveMonitor }) {
  const { status, bands } = live;
  const nowMs = useNow(live.now);
  const serverNowMs = Date.parse(live.now);
  const view = describeMonitor(status, bands, serverNowMs);
  const stripFromMs = serverNowMs - STRIP_MS;
  const outdated = live.lost === true && nowMs - serverNowMs > OUTDATED_MS;
  const facts: [string, string][] = [
    ['Monitoring hours', inUkTime(live.hoursInWords)],
    ['Within them now', status.withinHours ? 'yes' : 'no'],
    ['Checked', checksNow(status) ?? 'not right now'],
  ];

  return (
    <Card
      edge={view.face === 'waiting_room' && status.alert !== null ? 'foil' : 'plain'}
      label="Live monitor"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-[22px] pt-5 text-small tracking-[0.02em] text-soft">
        <h2 className="font-sans text-small font-normal tracking-[0.02em]">{SHOP.name}</h2>
        {view.next === null ? null : (
          <p className="min-w-48 sm:text-right">
            {view.next.label} <RunningTime running={view.next.running} nowMs={nowMs} />
          </p>
        )}
      </div>

      <div className="px-[22px] pt-6" data-monitor-face={view.face}>
        <StatePill face={view.face} word={view.word} />
        <p className="mt-3.5 font-display text-heading font-bold tracking-[-0.02em]">
          {view.headline}
          {view.running === null ? null : (
            <>
              {' '}
              <RunningTime running={view.running} nowMs={nowMs} />
            </>
          )}
        </p>
        <p className="mt-3 text-soft">{view.explanation}</p>
        {outdated ? (
          <p role="status" className="mt-3 flex items-start gap-2 font-semibold text-unknown">
            <OfflineIcon />
            <span>
              Not up to date: this is how it was at <time dateTime={live.now}>{clockSecond(live.now)}</time>.
              We keep trying.
            </span>
          </p>
        ) : null}
      </div>

      <div className="mt-5 px-[22px]">
        <CheckStripPicture bands={bands} fromMs={stripFromMs} toMs={serverNowMs} />
        <p className="mt-1 mb-2 flex justify-between text-small text-soft">
          <time dateTime={new Date(stripFromMs).toISOString()}>
            {clockMinute(new Date(stripFromMs).toISOString())}
          </time>
          <span>now</span>
        </p>
        <CheckStripLegend />
      </div>

      <dl className="mt-5 grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5 border-t border-line px-[22px] pt-4 pb-5 text-small">
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
            <Told
              audience="Pro told"
              at={status.alert.instantNotifiedAt}
              openedAt={status.alert.openedAt}
              nowMs={nowMs}
            />
            <Told
              audience="Everyone told"
              at={status.alert.freeNotifiedAt}
              openedAt={status.alert.openedAt}
              nowMs={nowMs}
            />
          </>
        )}
      </dl>
    </Card>
  );
}
