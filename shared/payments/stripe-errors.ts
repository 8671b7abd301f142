import Stripe from 'stripe';
import { DomainError } from '../errors';

const RETRY_AFTER_SECONDS = 10;

/**
 * Classifies an error of Stripe's SDK (docs.stripe.com/error-handling): a declined card is `Invalid` with Stripe's
 * sentence for the buyer, a Stripe that cannot be reached or fails is `BadGateway`, one that is busy is `Unavailable`.
 * Invalid requests and refused keys are bugs or faults of the configuration; they are returned as they are, as is every
 * other error.
 */
function classifyStripeError(error: unknown): unknown {
  if (error instanceof Stripe.errors.StripeCardError)
    return new DomainError('Invalid', { code: 'card_declined', message: error.message, cause: error });
  // 409: another request with the same key, or on the same object, is being served.
  if (error instanceof Stripe.errors.StripeRateLimitError || stripeStatusOf(error) === 409)
    return new DomainError('Unavailable', {
      code: 'payment_busy',
      message: 'The payment service is busy. Please try again in a minute.',
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      cause: error,
    });
  if (
    error instanceof Stripe.errors.StripeConnectionError ||
    (error instanceof Stripe.errors.StripeAPIError && (error.statusCode ?? 500) >= 500)
  )
    return new DomainError('BadGateway', {
      code: 'payment_service_failed',
      message: 'The payment service did not answer. Please try again in a minute.',
      cause: error,
    });
  return error;
}

/** The HTTP status of an error of Stripe; null for other errors and when Stripe did not answer. */
function stripeStatusOf(error: unknown): number | null {
  return error instanceof Stripe.errors.StripeError ? (error.statusCode ?? null) : null;
}

/** The code of an error of Stripe, such as `resource_missing` (docs.stripe.com/error-codes); null for other errors. */
export function stripeCodeOf(error: unknown): string | null {
  return error instanceof Stripe.errors.StripeError ? (error.code ?? null) : null;
}

/**
 * Whether Stripe answered a request with a fault of its own. Stripe replays that answer for the same idempotency key,
 * so a retry with that key cannot succeed (docs.stripe.com/api/idempotent_requests).
 */
export function isReplayedFault(error: unknown): boolean {
  const cause = error instanceof DomainError ? error.cause : error;
  return cause instanceof Stripe.errors.StripeAPIError && (cause.statusCode ?? 0) >= 500;
}

/**
 * Whether a request that failed with this error may be repeated with the same idempotency key: its outcome is unknown,
 * and Stripe has not stored a refusal or a fault of its own for the key. `error`: as `callStripe` throws it.
 */
export function mayRepeat(error: unknown): boolean {
  return error instanceof DomainError && error.kind !== 'Invalid' && !isReplayedFault(error);
}

/** Sends a request to Stripe. Throws `Invalid`, `BadGateway` or `Unavailable` for expected errors. */
export async function callStripe<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    throw classifyStripeError(error);
  }
}

/** Reads an object from Stripe; null when Stripe has none of this id. Throws as `callStripe`. */
export async function findAtStripe<T>(request: () => Promise<T>): Promise<T | null> {
  try {
    return await callStripe(request);
  } catch (error) {
    if (stripeCodeOf(error) === 'resource_missing') return null;
    throw error;
  }
}
