import { fromIso } from '../clock';

const dayFormat = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', dateStyle: 'long' });
const clockFormat = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', timeStyle: 'short' });

/** A stored time in the UK: "27 November 2026 at 20:14 (UK time)". */
export function formatUkTime(iso: string): string {
  const time = fromIso(iso);
  return `${dayFormat.format(time)} at ${clockFormat.format(time)} (UK time)`;
}
