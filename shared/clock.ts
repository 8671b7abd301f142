/** Durations in milliseconds, so that constants read as sentences: `10 * MINUTE`. */
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The only source of "now" for rules, so that a test can hold time still. Returns epoch milliseconds. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Epoch milliseconds → the stored form of a time: ISO-8601 UTC text with milliseconds. */
export function toIso(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** Stored time → epoch milliseconds. Throws when the text is no time: a broken row must not become 1970. */
export function fromIso(iso: string): number {
  const ms = Date.parse(iso);
  if (Number.isNaN(ms)) throw new Error(`not a time: ${JSON.stringify(iso)}`);
  return ms;
}
