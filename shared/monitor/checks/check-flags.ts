/** The specification flags slower checks. In milliseconds. */
export const SLOW_MS = 30_000;
/** The specification flags shorter response bodies. */
export const SHORT_CHARACTERS = 1_000;

/** The flags of a check, stored with its judgement. They do not affect the verdict. */
export function flagsOf({ responseMs, bodyLength }: { responseMs: number; bodyLength: number }): {
  slow: boolean;
  short: boolean;
} {
  return { slow: responseMs > SLOW_MS, short: bodyLength < SHORT_CHARACTERS };
}
