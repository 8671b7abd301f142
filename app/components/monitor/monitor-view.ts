import type { MonitorStatus, VerdictSpan } from '#shared/monitor/read-status.server';
import type { Verdict } from '#shared/monitor/checks/verdict';
import { clockAndDay, clockMinute, clockSecond, everyInterval } from '../time/time-format';
import { VERDICT_LABELS } from './verdict-labels';

/** The monitor's state as displayed; each has one colour and one icon. */
export type DisplayState = 'open' | 'waiting_room' | 'unknown' | 'resting' | 'paused' | 'offline';

/** A duration that counts up or down while the page is open. */
export interface Running {
  kind: 'elapsed' | 'countdown';
  /** The time that it counts from or to (ISO-8601). */
  at: string;
}

/** The texts of the live card. */
export interface MonitorView {
  state: DisplayState;
  /** The text of the state pill. */
  label: string;
  headline: string;
  /** Shown after the headline. */
  running: Running | null;
  explanation: string;
  /** When the last check was and how long the shop took to answer; empty where `explanation` says it. */
  lastCheck: string;
  next: { label: string; running: Running } | null;
}

/** Returns the start of the latest uninterrupted bands with `verdict`; null if the last band has another one. */
function sinceOf(bands: readonly VerdictSpan[], verdict: Verdict): string | null {
  let since: string | null = null;
  for (const band of bands.toReversed()) {
    if (band.verdict !== verdict) break;
    since = band.from;
  }
  return since;
}

function nextCheck(status: MonitorStatus): MonitorView['next'] {
  const at = status.scheduler.nextCheck;
  return at === null ? null : { label: 'Next check in', running: { kind: 'countdown', at } };
}

function lastCheckText(status: MonitorStatus): string {
  if (status.lastCheck === null) return '';
  const took =
    status.lastResponseMs === null ? '' : `, answered in ${status.lastResponseMs.toLocaleString('en-GB')} ms`;
  return `Last check at ${clockSecond(status.lastCheck)}${took}.`;
}

const LAST_RESULTS: Record<MonitorStatus['state'], string> = {
  open: 'the shop was open as usual',
  waiting_room: 'the waiting room was open',
  unknown: 'we could not tell what the shop was showing',
};

function lastResultText(status: MonitorStatus, nowMs: number): string {
  if (status.lastCheck === null) return 'The shop has not been checked yet.';
  return `At the last check, ${clockAndDay(status.lastCheck, nowMs)}, ${LAST_RESULTS[status.state]}.`;
}

/** Returns how often the shop is checked, such as "every 15 seconds"; null while no checks run. */
export function checksNow({ scheduler, daemon, withinHours }: MonitorStatus): string | null {
  return scheduler.running && daemon.online && withinHours ? everyInterval(scheduler.intervalSeconds) : null;
}

/**
 * Describes the monitor's state at `nowMs` (epoch ms). The first matching row decides:
 *   monitoring on, daemon offline         offline
 *   alert open, or verdict unconfirmed    waiting room
 *   monitoring stopped                    paused
 *   outside the hours                     resting
 *   no check yet                          unknown
 *   last check inconclusive               unknown
 *   else                                  open
 */
export function describeMonitor(
  status: MonitorStatus,
  bands: readonly VerdictSpan[],
  nowMs: number,
): MonitorView {
  const { alert, scheduler, window } = status;
  const unchecked = { running: null, lastCheck: '', next: null };
  const checked = { running: null, lastCheck: lastCheckText(status), next: nextCheck(status) };

  if (scheduler.running && !status.daemon.online) {
    return {
      ...unchecked,
      state: 'offline',
      label: 'Offline',
      headline: 'Checks are interrupted',
      explanation: `The monitor does not answer, so treat this as unknown. ${lastResultText(status, nowMs)} Alerts resume when it is back.`,
    };
  }

  // Outside the hours the last verdict may be a day old; while checks run it is current.
  const suspected = scheduler.running && status.withinHours && status.state === 'waiting_room';
  if (alert !== null || suspected) return describeWaitingRoom(status);

  if (!scheduler.running) {
    return {
      ...unchecked,
      state: 'paused',
      label: 'Stopped',
      headline: 'Monitoring is stopped',
      explanation: `No checks run, so no alerts go out. ${lastResultText(status, nowMs)}`,
    };
  }

  if (!status.withinHours) {
    const opening = window.nextOpening;
    return {
      ...unchecked,
      state: 'resting',
      label: 'Resting',
      headline: opening === null ? 'Outside monitoring hours' : `Back at ${clockAndDay(opening, nowMs)}`,
      explanation: `No checks run outside the monitoring hours, so no alerts go out. ${lastResultText(status, nowMs)}`,
      next:
        opening === null
          ? null
          : { label: 'Checks start again in', running: { kind: 'countdown', at: opening } },
    };
  }

  if (status.lastCheck === null) {
    return {
      ...checked,
      state: 'unknown',
      label: 'Not checked yet',
      headline: 'The first check is under way',
      explanation: 'Monitoring has just started. What the shop shows appears here after the first check.',
    };
  }

  if (status.state === 'unknown') {
    return {
      ...checked,
      state: 'unknown',
      label: VERDICT_LABELS.unknown,
      headline: 'We could not tell',
      explanation: `${status.lastReason ?? 'The last check was inconclusive.'} An unknown result never starts or ends an alert; the checks continue.`,
    };
  }

  const since = sinceOf(bands, 'open');
  return {
    ...checked,
    state: 'open',
    label: VERDICT_LABELS.open,
    headline: 'No waiting room',
    explanation: `Visitors reach the shop without waiting${since === null ? '' : `, at least since ${clockMinute(since)}`}.`,
  };
}

function describeWaitingRoom(status: MonitorStatus): MonitorView {
  const { alert } = status;
  const next = nextCheck(status);
  if (alert === null) {
    return {
      state: 'waiting_room',
      label: 'Waiting room?',
      headline: 'Possible waiting room',
      running: null,
      explanation: 'The signs are weak, so we check a second time before we send an alert.',
      lastCheck: lastCheckText(status),
      next,
    };
  }
  const explanation = {
    waiting_room: 'Visitors wait in the waiting room before they reach the shop.',
    unknown: 'The last check was inconclusive, so we assume that the waiting room is still open.',
    open: 'The last check saw the shop itself again; if the next one does too, the waiting room counts as closed.',
  }[status.state];
  return {
    state: 'waiting_room',
    label: VERDICT_LABELS.waiting_room,
    headline: 'Live for',
    running: { kind: 'elapsed', at: alert.openedAt },
    explanation,
    lastCheck: lastCheckText(status),
    next,
  };
}
