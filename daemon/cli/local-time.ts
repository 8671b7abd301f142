/** "25 Nov 2026, 03:14:07 GMT", in this machine's time zone; `none` for null. */
export function formatTime(iso: string | null, none = 'none'): string {
  if (iso === null) return none;
  const time = new Date(iso);
  // Odd text in an old row is shown as it is.
  if (Number.isNaN(time.getTime())) return iso;
  return time.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'long' });
}

/** The time since a moment (ISO): "12 s", "5 min", "3 h", "4 days". `now`: epoch ms. */
export function formatElapsed(iso: string, now: number): string {
  const seconds = Math.max(0, Math.round((now - new Date(iso).getTime()) / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`;
}

/** A time with its age: "25 Nov 2026, 03:14:07 GMT (12 s ago)", in this machine's time zone. */
export function formatAge(iso: string | null, now: number): string {
  return iso === null ? 'never' : `${formatTime(iso)} (${formatElapsed(iso, now)} ago)`;
}
