import { DAY } from '#shared/clock';

const ZONE = 'Europe/London';
/** "2026-12-14" */
const dayFormat = new Intl.DateTimeFormat('en-CA', { timeZone: ZONE });
/** "December 14, 2026", as the specification wants it on news. */
const longFormat = new Intl.DateTimeFormat('en-US', {
  timeZone: ZONE,
  month: 'long',
  day: 'numeric',
  year: 'numeric',
});

/**
 * How long ago something was published, in whole days of the British calendar: "Today", "Yesterday", "3 days ago" under
 * seven, "1 week ago" or "3 weeks ago" under thirty, else "December 14, 2026". `iso`: ISO-8601 UTC; `nowMs`: epoch ms.
 */
export function relativeDate(iso: string, nowMs: number): string {
  const at = new Date(iso);
  const days = Math.round((Date.parse(dayFormat.format(nowMs)) - Date.parse(dayFormat.format(at))) / DAY);
  if (days <= 0) return 'Today';
  if (days === 1) return 'Yesterday';
  if (days < 7) return `${days} days ago`;
  if (days >= 30) return longFormat.format(at);
  const weeks = Math.floor(days / 7);
  return weeks === 1 ? '1 week ago' : `${weeks} weeks ago`;
}
