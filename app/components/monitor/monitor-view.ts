import type { CheckBand, MonitorStatus } from '#shared/monitor/read-status.server';
import { clockAndDay, clockMinute, clockSecond, everyInterval } from './time-format';

/** How the monitor's state looks: one tone and one icon each, everywhere. */
export type MonitorFace = 'open' | 'waiting_room' | 'unknown' | 'resting' | 'paused' | 'offline';

/** A span of time that counts up or down while the page is open. */
export interface Running {
  kind: 'elapsed' | 'countdown';
  /** ISO time it counts from or to. */
  at: string;
}

/** What the live card says, in words; the card only lays it out. */
export interface MonitorView {
  face: MonitorFace;
  /** The word on the state pill. */
  word: string;
  headline: string;
  /** Follows the headline when it runs. */
  running: Running | null;
  explanation: string;
  next: { label: string; running: Running } | null;
}

/** Since when the last bands have been saying `verdict` without a break. */
function sinceOf(bands: readonly CheckBand[], verdict: CheckBand['verdict']): string | null {
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

function seenAt(status: MonitorStatus): string {
  if (status.lastCheck === null) return '';
  const took =
    status.lastResponseMs === null ? '' : `, answered in ${status.lastResponseMs.toLocaleString('en-GB')} ms`;
  return `Last check at ${clockSecond(status.lastCheck)}${took}.`;
}

const LAST_WORDS: Record<MonitorStatus['state'], string> = {
  open: 'the shop was open as usual',
  waiting_room: 'the waiting room was up',
  unknown: 'we could not tell what the shop was showing',
};

function lastWords(status: MonitorStatus, nowMs: number): string {
  if (status.lastCheck === null) return 'The shop has not been checked yet.';
  return `At the last check, ${clockAndDay(status.lastCheck, nowMs)}, ${LAST_WORDS[status.state]}.`;
}

/** How often the shop is checked now, such as "every 15 seconds"; null while no checks run. */
export function checksNow({ scheduler, daemon, withinHours }: MonitorStatus): string | null {
  return scheduler.running && daemon.online && withinHours ? everyInterval(scheduler.intervalSeconds) : null;
}

/*
 * The first row that fits decides:
 *   daemon silent while it should run     offline
 *   alert open, or a room being confirmed waiting room
 *   monitoring switched off               paused
 *   outside the hours                     resting
 *   no check yet                          unknown
 *   last check inconclusive               unknown
 *   else                                  open
 */
export function describeMonitor(
  status: MonitorStatus,
  bands: readonly CheckBand[],
  nowMs: number,
): MonitorView {
  const { alert, scheduler, window } = status;

  if (scheduler.running && !status.daemon.online) {
    return {
      face: 'offline',
      word: 'Offline',
      headline: 'Checks are interrupted',
      running: null,
      explanation: `The monitor does not answer, so treat this as unknown. ${lastWords(status, nowMs)} Alerts resume by themselves when it is back.`,
      next: null,
    };
  }

  // Outside the hours the last verdict may be a day old; while checks run it is current.
  const suspected = scheduler.running && status.withinHours && status.state === 'waiting_room';
  if (alert !== null || suspected) return describeWaitingRoom(status);

  if (!scheduler.running) {
    return {
      face: 'paused',
      word: 'Paused',
      headline: 'Monitoring is switched off',
      running: null,
      explanation: `No checks run, so no alerts go out. ${lastWords(status, nowMs)}`,
      next: null,
    };
  }

  if (!status.withinHours) {
    const opening = window.nextOpening;
    return {
      face: 'resting',
      word: 'Resting',
      headline: opening === null ? 'Outside monitoring hours' : `Back at ${clockAndDay(opening, nowMs)}`,
      running: null,
      explanation: `No checks run outside the monitoring hours, so no alerts go out. ${lastWords(status, nowMs)}`,
      next:
        opening === null
          ? null
          : { label: 'Checks start again in', running: { kind: 'countdown', at: opening } },
    };
  }

  if (status.lastCheck === null) {
    return {
      face: 'unknown',
      word: 'Not seen yet',
      headline: 'The first check is on its way',
      running: null,
      explanation: 'Monitoring has just started. What the shop shows appears here after the first check.',
      next: nextCheck(status),
    };
  }

  if (status.state === 'unknown') {
    return {
      face: 'unknown',
      word: 'Unknown',
      headline: 'We could not tell',
      running: null,
      explanation: `${status.lastReason ?? 'The last check was inconclusive.'} That never starts or ends an alert; the checks go on. ${seenAt(status)}`,
      next: nextCheck(status),
    };
  }

  const since = sinceOf(bands, 'open');
  return {
    face: 'open',
    word: 'Open',
    headline: 'No waiting room',
    running: null,
    explanation: `The shop is letting everyone straight in${since === null ? '' : `, since ${clockMinute(since)} as far as we saw`}. ${seenAt(status)}`,
    next: nextCheck(status),
  };
}

function describeWaitingRoom(status: MonitorStatus): MonitorView {
  const { alert } = status;
  const next = nextCheck(status);
  if (alert === null) {
    return {
      face: 'waiting_room',
      word: 'Waiting room?',
      headline: 'Possible waiting room',
      running: null,
      explanation: `The signs are faint, so we check a second time before we tell anyone. ${seenAt(status)}`,
      next,
    };
  }
  const explanation = {
    waiting_room: 'Visitors are being held in a queue before they reach the shop.',
    unknown: 'The last check was inconclusive, so we take the waiting room to be up still.',
    open: 'The last check saw the shop itself again; one more like it and we call the waiting room closed.',
  }[status.state];
  return {
    face: 'waiting_room',
    word: 'Waiting room',
    headline: 'Live for',
    running: { kind: 'elapsed', at: alert.openedAt },
    explanation: `${explanation} ${seenAt(status)}`,
    next,
  };
}
