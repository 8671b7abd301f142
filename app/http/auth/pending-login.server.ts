import { z } from 'zod';
import { MINUTE } from '#shared/clock';
import { signedCookie } from '../cookies/signed-cookie.server';

/** A sign-in that waits for its code: the address, the key of the browser, and the path of this site to open afterwards. */
const pendingSchema = z.object({
  email: z.string(),
  browserKey: z.string(),
  /** Whether Discord has authenticated it. */
  byDiscord: z.boolean().default(false),
  next: z.string().nullable().default(null),
});
export type PendingSignIn = z.infer<typeof pendingSchema>;

/** How long a browser keeps a pending sign-in. */
export const PENDING_LIFETIME_MS = 15 * MINUTE;

const cookie = signedCookie('packwatch_pending', { lifetimeMs: PENDING_LIFETIME_MS });

/** The browser's pending sign-in, or null. */
export async function readPending(request: Request): Promise<PendingSignIn | null> {
  const text = await cookie.read(request);
  return text === null ? null : pendingSchema.parse(JSON.parse(text));
}

/** Adds the cookie that stores the pending sign-in for 15 minutes. */
export function commitPending(headers: Headers, pending: PendingSignIn): Promise<void> {
  return cookie.commit(headers, JSON.stringify(pending));
}

/** Adds the cookie that deletes the pending sign-in. */
export function clearPending(headers: Headers): Promise<void> {
  return cookie.clear(headers);
}
