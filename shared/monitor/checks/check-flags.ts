import { z } from 'zod';

/** The specification flags slower checks. In milliseconds. */
export const SLOW_MS = 30_000;
/** The specification flags shorter response bodies. */
const SHORT_CHARACTERS = 1_000;

/** The flags as they are stored in `content_analysis`. */
export const flagsSchema = z.object({ slow: z.boolean(), short: z.boolean() });
export type CheckFlags = z.infer<typeof flagsSchema>;

/** The flags of a check, stored with its judgement. They do not affect the verdict. */
export function flagsOf({ responseMs, bodyLength }: { responseMs: number; bodyLength: number }): CheckFlags {
  return { slow: responseMs > SLOW_MS, short: bodyLength < SHORT_CHARACTERS };
}
