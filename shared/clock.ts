/** Durations in milliseconds, such as `10 * MINUTE`. */
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The only source of the current time, so that tests can control it. Returns epoch milliseconds. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** The last conversion: a transaction writes one time into many columns. */
let converted = { ms: Number.NaN, iso: '' };

/** Epoch milliseconds → the stored form of a time: ISO-8601 UTC text with milliseconds. */
export function toIso(epochMs: number): string {
  if (epochMs !== converted.ms) converted = { ms: epochMs, iso: new Date(epochMs).toISOString() };
  return converted.iso;
}

/** Stored time → epoch milliseconds. Throws for an invalid time. */
export function fromIso(iso: string): number {
  const ms = Date.parse(iso);
  if (Number.isNaN(ms)) throw new Error(`not a time: ${JSON.stringify(iso)}`);
  return ms;
}

/** Times of other processes can be ahead by this. */
export const CLOCK_TOLERANCE_MS = 5 * SECOND;

/** Whether a stored time (epoch ms) has passed; one in the future was stored before the clock was set back. */
export function isPast(time: number, now: number): boolean {
  return time <= now + CLOCK_TOLERANCE_MS;
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** A duration (ms) as text in whole minutes: "less than a minute", "39 minutes", "2 hours 5 minutes". */
export function describeDuration(ms: number): string {
  const minutes = Math.round(ms / MINUTE);
  if (minutes < 1) return 'less than a minute';
  if (minutes < 60) return counted(minutes, 'minute');
  const hours = Math.floor((minutes * MINUTE) / HOUR);
  const rest = minutes - hours * 60;
  return rest === 0 ? counted(hours, 'hour') : `${counted(hours, 'hour')} ${counted(rest, 'minute')}`;
}
