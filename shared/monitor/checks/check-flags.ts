import { z } from 'zod';

/** The specification flags slower checks. In milliseconds. */
export const SLOW_MS = 30_000;
/** The specification flags shorter response bodies. */
const SHORT_CHARACTERS = 1_000;

/** The flags as they are stored in `content_analysis`. */
export const flagsSchema = z.object({ slow: z.boolean(), short: z.boolean() });
export type CheckFlags = z.infer<typeof flagsSchema>;

/**
 * The flags of a check, stored with its judgement. They do not affect the verdict. `status`: with 304 the page is unchanged,
 * and none is sent.
 */
export function flagsOf({
  responseMs,
  bodyLength,
  status,
}: {
  responseMs: number;
  bodyLength: number;
  status: number | null;
}): CheckFlags {
  return { slow: responseMs > SLOW_MS, short: status !== 304 && bodyLength < SHORT_CHARACTERS };
}
