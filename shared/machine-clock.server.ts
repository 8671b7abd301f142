import { uptime } from 'node:os';
import { SECOND, systemClock, type Clock } from './clock';

/** A clock that also measures time which no correction of the wall clock moves. */
export interface MachineClock extends Clock {
  /** Milliseconds since this machine started, its sleep included (Linux: /proc/uptime, in hundredths of a second). */
  uptime(): number;
}

export const machineClock: MachineClock = { ...systemClock, uptime: () => uptime() * SECOND };
