import { z } from 'zod';
import { MINUTE } from '#shared/clock';
import { signedCookie } from '../cookies/signed-cookie.server';

/** A sign-in that waits for its code, the browser that asked for it, and the own path that it leads to, if any. */
const pendingSchema = z.object({
  email: z.string(),
  browserKey: z.string(),
  next: z.string().nullable().default(null),
});
export type PendingSignIn = z.infer<typeof pendingSchema>;

/** How long a sign-in may wait for its code in this browser. */
export const PENDING_LASTS_MS = 15 * MINUTE;

const cookie = signedCookie('packwatch_pending', { livesMs: PENDING_LASTS_MS });

/** The sign-in that this browser has begun, or null. */
export async function readPending(request: Request): Promise<PendingSignIn | null> {
  const text = await cookie.read(request);
  return text === null ? null : pendingSchema.parse(JSON.parse(text));
}

/** Remembers for 15 minutes that this browser waits for a code. */
export function commitPending(headers: Headers, pending: PendingSignIn): Promise<void> {
  return cookie.keep(headers, JSON.stringify(pending));
}

/** Forgets it. */
export function clearPending(headers: Headers): Promise<void> {
  return cookie.forget(headers);
}
