import { StripeError, invalidRequest } from './stripe-error';

/** A finished answer, kept for repeats. */
export interface SavedAnswer {
  status: number;
  body: string;
  requestId: string;
}

/** Idempotency keys (docs.stripe.com/api/idempotent_requests). */
export interface IdempotencyKeys {
  /**
   * The saved answer of a repeated request, or null for the first one, which must then be `finish`ed or `release`d.
   * @throws StripeError when the key came with another request, or its first request is still running
   */
  begin(key: string, request: string): SavedAnswer | null;
  finish(key: string, answer: SavedAnswer): void;
  /** Forgets the key: the request was refused before Stripe executed anything. */
  release(key: string): void;
  reset(): void;
}

const MAX_KEY_LENGTH = 255;

export function createIdempotencyKeys(): IdempotencyKeys {
  const entries = new Map<string, { request: string; answer: SavedAnswer | null }>();
  return {
    begin(key, request) {
      if (key.length > MAX_KEY_LENGTH)
        throw invalidRequest('Idempotency keys must be 255 characters or less in length.');
      const known = entries.get(key);
      if (!known) {
        entries.set(key, { request, answer: null });
        return null;
      }
      if (known.request !== request)
        throw new StripeError(400, {
          type: 'idempotency_error',
          message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
        });
      if (!known.answer)
        throw new StripeError(409, {
          type: 'idempotency_error',
          code: 'idempotency_key_in_use',
          message: `There is currently another in-progress request using this Stripe-Idempotency key (that probably means you submitted twice, and the other request is still going through): ${key}. If you see this error frequently and you're not using API keys from Stripe, please contact us at https://support.stripe.com/contact/.`,
        });
      return known.answer;
    },
    finish(key, answer) {
      const known = entries.get(key);
      if (known) known.answer = answer;
    },
    release: (key) => void entries.delete(key),
    reset: () => entries.clear(),
  };
}
