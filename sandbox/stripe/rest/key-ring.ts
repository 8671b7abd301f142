import { randomBytes } from 'node:crypto';
import type { AccountKeys } from '../keys';
import { StripeError } from './stripe-error';

export type KeyKind = 'secret' | 'publishable';

/** A key of a request. `permissions`: null for a key that may do everything of its kind. */
export interface GivenKey {
  kind: KeyKind;
  text: string;
  permissions: ReadonlySet<string> | null;
}

/** The key in an `Authorization` header; empty without one. */
export function keyIn(authorization: string | undefined): string {
  const bearer = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1]?.trim();
  const basic = /^Basic (.+)$/i.exec(authorization ?? '')?.[1];
  return bearer ?? (basic && Buffer.from(basic, 'base64').toString().split(':')[0]) ?? '';
}

/** The keys of an account: its own two, and the restricted ones that a test makes. */
export function createKeyRing(account: AccountKeys) {
  const restricted = new Map<string, ReadonlySet<string>>();

  function find(text: string): GivenKey | null {
    if (text === account.secret) return { kind: 'secret', text, permissions: null };
    if (text === account.publishable) return { kind: 'publishable', text, permissions: null };
    const permissions = restricted.get(text);
    return permissions === undefined ? null : { kind: 'secret', text, permissions };
  }

  return {
    find,
    /** @throws StripeError 401 for a missing or unknown key */
    require(text: string): GivenKey {
      if (text === '')
        throw new StripeError(401, {
          type: 'invalid_request_error',
          message:
            "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY'). See https://stripe.com/docs/api#authentication for details, or we can help at https://support.stripe.com/.",
        });
      const found = find(text);
      if (found !== null) return found;
      const masked =
        text.length > 12 ? `${text.slice(0, 8)}${'*'.repeat(text.length - 12)}${text.slice(-4)}` : '****';
      throw new StripeError(401, {
        type: 'invalid_request_error',
        message: `Invalid API Key provided: ${masked}`,
      });
    },
    /** Makes a restricted key. @param permissions such as `customer_write`, which includes `customer_read` */
    restrict(permissions: readonly string[]): string {
      const key = `rk_${account.livemode ? 'live' : 'test'}_${randomBytes(12).toString('hex')}`;
      restricted.set(key, new Set(permissions));
      return key;
    },
  };
}

export type KeyRing = ReturnType<typeof createKeyRing>;
