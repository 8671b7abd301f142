import type { LiveMonitor } from '~/components/monitor/live-card';
import { everyInterval, inUkTime } from '~/components/monitor/spoken-time';
import { HERO } from './landing-content';

/** The sentence under the promise, as the monitor is now; null: its state could not be read. */
export function ledeOf(live: LiveMonitor | null): string {
  const { lede } = HERO;
  if (live === null) return lede.notKnown;
  const { scheduler, daemon, withinHours } = live.status;
  if (!scheduler.running) return lede.switchedOff;
  if (!daemon.online) return lede.interrupted;
  const facts = { every: everyInterval(scheduler.intervalSeconds), hours: inUkTime(live.hoursInWords) };
  return withinHours ? lede.checking(facts) : lede.outsideHours(facts);
}
