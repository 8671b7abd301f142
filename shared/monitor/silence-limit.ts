import { MINUTE, SECOND } from '../clock';

/** The shortest silence that is reported. Two of the longest back-offs (150 s) fit into it. */
const MIN_SILENCE_MS = 5 * MINUTE;
/** Time for a check itself, and for its start. */
const CHECK_TIME_MS = MINUTE;

/** The admins are notified after this long (ms) without a conclusive verdict: five minutes, or two intervals if longer. */
export function silenceLimitMs({ intervalSeconds }: { intervalSeconds: number }): number {
  return Math.max(MIN_SILENCE_MS, 2 * intervalSeconds * SECOND + CHECK_TIME_MS);
}
