import { everyInterval } from '~/components/monitor/spoken-time';
import { HERO } from './landing-content';

/** What the lede says about the monitor. */
export interface WatchedHours {
  /** Whether monitoring is switched on. */
  running: boolean;
  /** Whether the daemon that checks is there. */
  online: boolean;
  intervalSeconds: number;
  /** "9am to 9pm", or "all day". */
  hoursInWords: string;
}

/** The sentence below the promise. It claims only the checks that the live card beside it shows; null: not readable. */
export function ledeOf(watched: WatchedHours | null): string {
  const { lede } = HERO;
  if (watched === null) return lede.unread;
  if (!watched.running) return lede.off;
  if (!watched.online) return lede.interrupted;
  const hours = watched.hoursInWords === 'all day' ? 'all day' : `${watched.hoursInWords} UK time`;
  return lede.on(`${everyInterval(watched.intervalSeconds)}, ${hours},`);
}
