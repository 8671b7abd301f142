import webPush from 'web-push';
import { HOUR, SECOND, type Clock } from '../../clock';
import type { PushKeys } from './push-keys.server';

/** At most 24 hours ahead (RFC 8292, section 2). Half of it, in case the push service's clock differs. */
const LIFETIME_MS = 12 * HOUR;
const RENEW_BEFORE_END_MS = HOUR;
/** Push endpoints come from browsers, so the number of origins has a limit. */
const MAX_ORIGINS = 200;

/** The `Authorization` header that identifies us to a push service. */
export interface PushTokens {
  of(origin: string): string;
  /** After a push service refused the token of its origin. */
  forget(origin: string): void;
}

/**
 * The contact in the tokens: `https:` and `mailto:` addresses alone are allowed (RFC 8292, section 2.1), so an http
 * APP_URL, as in development, is replaced with a mail address on its host.
 */
function contactOf(subject: string): string {
  if (/^(https|mailto):/.test(subject)) return subject;
  return `mailto:webmaster@${new URL(subject).hostname}`;
}

/** Signs one token per origin and reuses it for hours: a signature costs more than the encryption of a message. */
export function createPushTokens({
  keys,
  subject,
  clock,
}: {
  keys: PushKeys;
  subject: string;
  clock: Clock;
}): PushTokens {
  const contact = contactOf(subject);
  const tokens = new Map<string, { header: string; expiresAt: number }>();
  return {
    of(origin) {
      const now = clock.now();
      const cached = tokens.get(origin);
      // A token too far ahead: the clock was set back.
      if (
        cached !== undefined &&
        cached.expiresAt - now > RENEW_BEFORE_END_MS &&
        cached.expiresAt - now <= LIFETIME_MS
      )
        return cached.header;
      const expiresAt = now + LIFETIME_MS;
      const { Authorization: header } = webPush.getVapidHeaders(
        origin,
        contact,
        keys.publicKey,
        keys.privateKey,
        'aes128gcm',
        Math.floor(expiresAt / SECOND),
      );
      tokens.delete(origin);
      const [oldest] = tokens.keys();
      if (tokens.size >= MAX_ORIGINS && oldest !== undefined) tokens.delete(oldest);
      tokens.set(origin, { header, expiresAt });
      return header;
    },
    forget(origin) {
      tokens.delete(origin);
    },
  };
}
