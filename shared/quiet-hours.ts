import { DAY } from './clock';
import { OFFSET_UNIT_MS, windowEnd } from './zoned-hours';

/** Whole hours of the day in which a member's mails wait: from the first until the second, over midnight if it is smaller. */
export interface QuietWindow {
  from: number;
  to: number;
  /** The IANA name. */
  timeZone: string;
}

const MAX_REMEMBERED = 2_000;
/** The fan-out asks the same for many members: within a quarter of an hour, each window has one answer. */
const remembered = new Map<string, number | null>();

/** When a window ends that `now` is in; null outside of it. Both times are epoch ms. */
function endOf({ from, to, timeZone }: QuietWindow, now: number): number | null {
  const key = `${Math.floor(now / OFFSET_UNIT_MS)} ${from} ${to} ${timeZone}`;
  const known = remembered.get(key);
  if (known !== undefined) return known;
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  const end = from === to ? null : windowEnd(now, { from, to }, timeZone);
  remembered.set(key, end);
  return end;
}

/**
 * When it is quiet no more, where it is quiet now; null outside of all windows. Windows that cover the day together count for
 * one day. Both times are epoch ms.
 */
export function quietUntil(windows: readonly QuietWindow[], now: number): number | null {
  let until = now;
  while (until - now < DAY) {
    const at = until;
    const ends = windows.map((window) => endOf(window, at)).filter((end) => end !== null);
    if (ends.length === 0) break;
    until = Math.max(...ends);
  }
  return until === now ? null : until;
}
