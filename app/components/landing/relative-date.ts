import { DAY } from '#shared/clock';
import { newsDay } from '~/components/news/news-dates';

/** "2026-12-14" */
const dayFormat = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London' });

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
  if (days >= 30) return newsDay(iso);
  const weeks = Math.floor(days / 7);
  return weeks === 1 ? '1 week ago' : `${weeks} weeks ago`;
}
