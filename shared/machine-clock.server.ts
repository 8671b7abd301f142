import { uptime } from 'node:os';
import { SECOND, systemClock, type Clock } from './clock';

/** A clock with a monotonic time that corrections of the wall clock do not change. */
export interface MachineClock extends Clock {
  /** Milliseconds since the machine started, including sleep (Linux: /proc/uptime, in hundredths of a second). */
  uptime(): number;
}

export const machineClock: MachineClock = { ...systemClock, uptime: () => uptime() * SECOND };
