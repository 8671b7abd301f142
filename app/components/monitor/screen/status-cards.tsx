import type { ReactNode } from 'react';
import { HOUR } from '#shared/clock';
import { AVAILABILITY_WORDS } from '#shared/monitor/checks/availability-words';
import { describeMonitor } from '~/components/monitor/monitor-view';
import { StatePill } from '~/components/monitor/state-pill';
import { clockAndDay, countdown, elapsed } from '~/components/time/time-format';
import { useNow } from '~/components/time/dates';
import { OpenIcon, WarningIcon } from '~/components/ui/icons';
import { summariseDeliveries, type DeliverySummary } from './delivery-summary';
import { AVAILABILITY_STATES, availabilityText, lastPriceText } from '../products/product-words';
import type { LiveOffer, LiveWatch } from './live-watch';

/** The id of the panel of the last alert. */
export const LAST_ALERT_ID = 'last-alert';

interface StatusCardProps {
  term: string;
  edge?: 'plain' | 'foil' | 'bad';
  note: ReactNode;
  children: ReactNode;
}

function StatusCard({ term, edge = 'plain', note, children }: StatusCardProps) {
  const border = { plain: 'border-line', foil: 'border-line foil-edge', bad: 'border-live' }[edge];
  return (
    <div
      className={`relative flex min-w-0 flex-col rounded-card border bg-surface p-4 shadow-card first:col-span-full last:col-span-full sm:p-5 sm:last:col-span-1 lg:first:col-span-1 ${border}`}
    >
      <dt className="text-small text-soft">{term}</dt>
      <dd className="mt-1.5 flex flex-1 flex-col">
        {children}
        <span className="mt-auto pt-3 text-small tracking-[0.02em] text-soft">{note}</span>
      </dd>
    </div>
  );
}

function Figure({ tone = 'plain', children }: { tone?: 'plain' | 'bad'; children: ReactNode }) {
  return (
    <span
      className={`font-display text-[clamp(1.25rem,1.05rem+1vw,1.6rem)] leading-[1.1] font-bold tracking-[-0.015em] ${tone === 'bad' ? 'text-live' : ''}`}
    >
      {children}
    </span>
  );
}

/** The time and the result of the last check. */
function seenText({ status, lastHttpStatus }: LiveWatch, nowMs: number): string {
  if (status.lastCheck === null) return 'not checked yet';
  return [
    `seen ${nowMs - Date.parse(status.lastCheck) < HOUR ? `${elapsed(status.lastCheck, nowMs)} ago` : clockAndDay(status.lastCheck, nowMs)}`,
    status.lastResponseMs === null ? '' : ` in ${status.lastResponseMs.toLocaleString('en-GB')} ms`,
    lastHttpStatus === null ? ', no response' : `, HTTP ${lastHttpStatus}`,
  ].join('');
}

function OfferCard({ live, offer, nowMs }: { live: LiveWatch; offer: LiveOffer; nowMs: number }) {
  const { seen, availability, since, price } = offer;
  const isOpen = live.status.alert !== null;
  const label = seen === null ? 'Not checked yet' : availabilityText(seen);
  return (
    <StatusCard term="Current Status" edge={isOpen ? 'foil' : 'plain'} note={seenText(live, nowMs)}>
      <span className="mt-1">
        <StatePill state={AVAILABILITY_STATES[seen?.availability ?? 'unknown']} label={label} />
      </span>
      <span className="mt-3">
        <Figure>{lastPriceText(price)}</Figure>
      </span>
      <span className="mt-1.5 text-small wrap-anywhere">
        {availability === null || since === null ? null : (
          <>
            {AVAILABILITY_WORDS[availability]} since <time dateTime={since}>{clockAndDay(since, nowMs)}</time>
            .{' '}
          </>
        )}
        {offer.isHeld ? 'Verdicts of this shop are held back. ' : null}
        {offer.discontinuedAt === null ? null : 'The shop no longer sells it: it is checked once a day. '}
        {live.status.lastReason}
      </span>
    </StatusCard>
  );
}

function ShopCard({ live, nowMs }: { live: LiveWatch; nowMs: number }) {
  const { status, span } = live;
  const view = describeMonitor(status, span === null ? [] : [span], Date.parse(live.now));
  return (
    <StatusCard
      term="Current Status"
      edge={view.state === 'waiting_room' && status.alert !== null ? 'foil' : 'plain'}
      note={seenText(live, nowMs)}
    >
      <span data-monitor-state={view.state} className="absolute top-3 right-3.5">
        <StatePill state={view.state} label={view.label} />
      </span>
      <span className="mt-3">
        <Figure>
          {view.headline}
          {view.running === null ? null : (
            <>
              {' '}
              <time dateTime={view.running.at} className="whitespace-nowrap">
                {view.running.kind === 'elapsed'
                  ? elapsed(view.running.at, nowMs)
                  : countdown(view.running.at, nowMs)}
              </time>
            </>
          )}
        </Figure>
      </span>
      <span className="mt-1.5 text-small">{view.explanation}</span>
      <span aria-live="polite" className="sr-only">
        The shop shows: {view.label}.
      </span>
    </StatusCard>
  );
}

function NextCheckCard({ live, nowMs }: { live: LiveWatch; nowMs: number }) {
  const { scheduler, withinHours } = live.status;
  const next = scheduler.nextCheck;
  const isFar = next !== null && Date.parse(next) - nowMs > HOUR;
  const since = live.startedAt === null ? 'running' : `running since ${clockAndDay(live.startedAt, nowMs)}`;
  if (!scheduler.running)
    return (
      <StatusCard term="Next check" note="stopped: no checks, no alerts">
        <Figure>None</Figure>
      </StatusCard>
    );
  if (next === null)
    return (
      <StatusCard term="Next check" note={`${since}, waits for the daemon`}>
        <Figure>None</Figure>
      </StatusCard>
    );
  return (
    <StatusCard term="Next check" note={withinHours ? since : 'outside the monitoring hours'}>
      <Figure>
        <time dateTime={next}>{isFar ? clockAndDay(next, nowMs) : `in ${countdown(next, nowMs)}`}</time>
      </Figure>
    </StatusCard>
  );
}

function DaemonCard({ live, nowMs }: { live: LiveWatch; nowMs: number }) {
  const { online, lastHeartbeat } = live.status.daemon;
  const beat =
    lastHeartbeat === null
      ? 'no heartbeat yet'
      : nowMs - Date.parse(lastHeartbeat) > HOUR
        ? `last heartbeat ${clockAndDay(lastHeartbeat, nowMs)}`
        : // While it runs, the heartbeat is newer than this page, so its age at the time of reading is shown.
          `heartbeat ${elapsed(lastHeartbeat, online ? Date.parse(live.now) : nowMs)} ago`;
  return (
    <StatusCard term="Daemon" edge={online ? 'plain' : 'bad'} note={beat}>
      <Figure tone={online ? 'plain' : 'bad'}>
        <span className="flex items-center gap-2">
          {online ? (
            <span className="text-open">
              <OpenIcon />
            </span>
          ) : (
            <WarningIcon />
          )}
          {online ? 'Alive' : 'Not running'}
        </span>
      </Figure>
    </StatusCard>
  );
}

const TONE_CLASS: Record<DeliverySummary['tone'], string> = {
  good: 'text-open',
  busy: 'text-soft',
  partial: 'text-unknown',
  bad: 'text-live',
};

function AlertCard({ live, nowMs }: { live: LiveWatch; nowMs: number }) {
  const { alert } = live;
  if (alert === null)
    return (
      <StatusCard term="Last alert" note="this watch has sent no alert">
        <Figure>None yet</Figure>
      </StatusCard>
    );
  const summary = summariseDeliveries(alert);
  return (
    <StatusCard
      term="Last alert"
      edge={summary.tone === 'bad' ? 'bad' : 'plain'}
      note={
        <>
          <time dateTime={alert.openedAt}>{clockAndDay(alert.openedAt, nowMs)}</time>,{' '}
          <a
            href={`#${LAST_ALERT_ID}`}
            className={`font-semibold underline underline-offset-2 ${TONE_CLASS[summary.tone]}`}
          >
            {summary.words}
          </a>
        </>
      }
    >
      <Figure tone={summary.tone === 'bad' ? 'bad' : 'plain'}>
        {summary.reached.toLocaleString('en-GB')} of {summary.total.toLocaleString('en-GB')}
      </Figure>
    </StatusCard>
  );
}

/** The four facts of a watch: the shop, the next check, the daemon, the last alert. */
export function StatusCards({ live }: { live: LiveWatch }) {
  const nowMs = useNow(live.now);
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3 sm:gap-3.5 lg:grid-cols-[1.5fr_1fr_1fr_1fr]">
      {live.offer === null ? (
        <ShopCard live={live} nowMs={nowMs} />
      ) : (
        <OfferCard live={live} offer={live.offer} nowMs={nowMs} />
      )}
      <NextCheckCard live={live} nowMs={nowMs} />
      <DaemonCard live={live} nowMs={nowMs} />
      <AlertCard live={live} nowMs={nowMs} />
    </dl>
  );
}
