import { StripeError, invalidRequest } from './stripe-error';

/** A finished response, kept for repeats. */
export interface SavedResponse {
  status: number;
  body: string;
  requestId: string;
}

/** The first request of a key; without a response while it is executed. */
export interface SavedRequest {
  request: string;
  response: SavedResponse | null;
}

/** Idempotency keys (docs.stripe.com/api/idempotent_requests). */
export interface IdempotencyKeys {
  /**
   * The saved response of a repeated request, or null for the first one, which must then be `finish`ed or `release`d.
   * @throws StripeError when the key came with another request
   */
  begin(key: string, request: string): SavedResponse | null;
  finish(key: string, response: SavedResponse): void;
  /**
   * Locks the key for a request that is running.
   * @returns unlocks it
   * @throws StripeError 409 when another request has locked it
   */
  lock(key: string): () => void;
  /** Removes the key: the request was refused before Stripe executed anything. */
  release(key: string): void;
  /** The saved responses, for `restore` after a restart. */
  snapshot(): [string, SavedRequest][];
  restore(saved: readonly [string, SavedRequest][]): void;
  reset(): void;
}

const MAX_KEY_LENGTH = 255;
/** Stripe keeps keys for a day at least; the sandbox keeps the newest. */
const MAX_KEYS = 20_000;

export function createIdempotencyKeys(): IdempotencyKeys {
  const entries = new Map<string, SavedRequest>();
  const locked = new Set<string>();
  return {
    begin(key, request) {
      if (key.length > MAX_KEY_LENGTH)
        throw invalidRequest('Idempotency keys must be 255 characters or less in length.');
      const known = entries.get(key);
      if (!known) {
        entries.set(key, { request, response: null });
        const oldest = entries.size > MAX_KEYS ? entries.keys().next().value : undefined;
        if (oldest !== undefined) entries.delete(oldest);
        return null;
      }
      if (known.request !== request)
        throw new StripeError(400, {
          type: 'idempotency_error',
          message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
        });
      return known.response;
    },
    lock(key) {
      if (locked.has(key))
        throw new StripeError(409, {
          type: 'idempotency_error',
          code: 'idempotency_key_in_use',
          message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. If you see this error frequently and you're not using API keys from Stripe, please contact us at https://support.stripe.com/contact/.`,
        });
      locked.add(key);
      return () => void locked.delete(key);
    },
    finish(key, response) {
      const known = entries.get(key);
      if (known) known.response = response;
    },
    release: (key) => void entries.delete(key),
    snapshot: () => [...entries],
    restore(saved) {
      for (const [key, entry] of saved) entries.set(key, entry);
    },
    reset() {
      entries.clear();
      locked.clear();
    },
  };
}
