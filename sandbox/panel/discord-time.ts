/** The seven ways Discord shows `<t:unix:style>` (Discord docs, "Reference › Timestamp Styles"). */
export type TimeStyle = 't' | 'T' | 'd' | 'D' | 'f' | 'F' | 'R';

const FORMATS: Record<Exclude<TimeStyle, 'R'>, Intl.DateTimeFormatOptions> = {
  t: { timeStyle: 'short' },
  T: { timeStyle: 'medium' },
  d: { dateStyle: 'short' },
  D: { dateStyle: 'long' },
  f: { dateStyle: 'long', timeStyle: 'short' },
  F: { dateStyle: 'full', timeStyle: 'short' },
};

const UNITS: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

/**
 * A moment as Discord would write it, in this machine's zone.
 * @param epochMs the moment; @param now for the relative style, both epoch milliseconds
 */
export function discordTime(epochMs: number, style: TimeStyle, now: number): string {
  if (style !== 'R') return new Intl.DateTimeFormat('en-GB', FORMATS[style]).format(epochMs);
  const seconds = Math.round((epochMs - now) / 1_000);
  const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
  return new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto' }).format(Math.trunc(seconds / length), unit);
}
