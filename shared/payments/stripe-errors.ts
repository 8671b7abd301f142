import Stripe from 'stripe';
import { DomainError } from '../errors';
import { remainingMs } from './step-deadline.server';

const RETRY_AFTER_SECONDS = 10;
const NO_ANSWER = 'payment_service_failed';

/**
 * Classifies an error of Stripe's SDK (docs.stripe.com/error-handling): a declined card is `Invalid` with Stripe's
 * sentence for the buyer, an unreachable or failing Stripe is `BadGateway`, a busy Stripe or a refused key is
 * `Unavailable`. Invalid requests are bugs; they and all other errors are returned unchanged.
 */
function classifyStripeError(error: unknown): unknown {
  if (error instanceof Stripe.errors.StripeCardError)
    return new DomainError('Invalid', { code: 'card_declined', message: error.message, cause: error });
  // 409: another request with the same key, or on the same object, is being served.
  if (
    error instanceof Stripe.errors.StripeRateLimitError ||
    (error instanceof Stripe.errors.StripeError && error.statusCode === 409)
  )
    return new DomainError('Unavailable', {
      code: 'payment_busy',
      message: 'The payment service is busy. Please try again in a minute.',
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      cause: error,
    });
  if (
    error instanceof Stripe.errors.StripePermissionError ||
    error instanceof Stripe.errors.StripeAuthenticationError
  )
    return paymentsUnavailable(error);
  if (
    error instanceof Stripe.errors.StripeConnectionError ||
    (error instanceof Stripe.errors.StripeAPIError && (error.statusCode ?? 500) >= 500)
  )
    return noAnswer(error);
  return error;
}

function noAnswer(cause?: unknown): DomainError {
  return new DomainError('BadGateway', {
    code: NO_ANSWER,
    message: 'The payment service did not answer. Please try again in a minute.',
    cause,
  });
}

/** The error of every step while our keys cannot be used. `cause`: the reason, for operators. */
export function paymentsUnavailable(cause: Error): DomainError {
  return new DomainError('Unavailable', {
    code: 'payment_unavailable',
    message: 'Payment is not available at the moment. Nothing has been charged. Please try again later.',
    operatorMessage: findKeyRefusal(cause)?.reason ?? cause.message,
    cause,
  });
}

/** The error of a step whose object is missing at Stripe: that is noted, but nothing counts as ended. */
export function unknownAtStripe(cause?: unknown): DomainError {
  return new DomainError('Unavailable', {
    code: 'payment_unknown',
    message:
      'Your payment details cannot be read at the moment. Nothing has been charged or changed. Please try again later.',
    cause,
  });
}

/** An error's message for operators: Stripe's message in the cause, because that of a `DomainError` is for members. */
export function describePaymentError(error: unknown): string {
  if (error instanceof DomainError && error.cause instanceof Error) return error.cause.message;
  return error instanceof Error ? error.message : String(error);
}

/** key: the key does not exist; permission: a restricted key may not send this request. `reason`: for operators. */
export interface KeyRefusal {
  fault: 'key' | 'permission';
  reason: string;
}

/** Why Stripe refuses our key; null for other errors. `error`: as `callStripe` throws it. */
export function findKeyRefusal(error: unknown): KeyRefusal | null {
  const cause = error instanceof DomainError ? error.cause : error;
  if (cause instanceof Stripe.errors.StripeAuthenticationError)
    return { fault: 'key', reason: `Stripe refuses STRIPE_SECRET_KEY: ${cause.message}` };
  if (!(cause instanceof Stripe.errors.StripePermissionError)) return null;
  // Stripe names the missing permission as 'rak_event_read', or as ('event_read') after the dashboard's label.
  const permission = /'(?:rak_)?([a-z_]{1,60}_(?:read|write))'/.exec(cause.message)?.[1];
  return {
    fault: 'permission',
    reason:
      permission === undefined
        ? `Stripe refuses a request of STRIPE_SECRET_KEY: ${cause.message}`
        : `STRIPE_SECRET_KEY is a restricted key without the permission ${permission}.`,
  };
}

/** Whether Stripe repeated a saved answer: the object may have changed since (docs.stripe.com/api/idempotent_requests). */
export function isReplayed({ lastResponse }: Stripe.Response<unknown>): boolean {
  return lastResponse.headers['idempotent-replayed'] === 'true';
}

/** The code of an error of Stripe, such as `resource_missing` (docs.stripe.com/error-codes); null for other errors. */
export function stripeCodeOf(error: unknown): string | null {
  return error instanceof Stripe.errors.StripeError ? (error.code ?? null) : null;
}

/**
 * Whether Stripe answered a request with an internal fault. Stripe replays that answer for the same idempotency key,
 * so a retry with that key cannot succeed (docs.stripe.com/api/idempotent_requests).
 */
export function isReplayedFault(error: unknown): boolean {
  const cause = error instanceof DomainError ? error.cause : error;
  return cause instanceof Stripe.errors.StripeAPIError && (cause.statusCode ?? 0) >= 500;
}

/** Whether Stripe's answer to a request is unknown, so that it may have been executed. `error`: as `callStripe` throws it. */
export function isAnswerLost(error: unknown): error is DomainError {
  return error instanceof DomainError && error.code === NO_ANSWER;
}

/**
 * Whether a request that failed with this error may be repeated with the same idempotency key: its outcome is unknown,
 * and Stripe has not stored a refusal or an internal fault for the key. `error`: as `callStripe` throws it.
 */
export function mayRepeat(error: unknown): boolean {
  return error instanceof DomainError && error.kind !== 'Invalid' && !isReplayedFault(error);
}

/** Waits for an answer until the running step ends: the SDK's timeout does not cover slow answers and retry delays. */
async function beforeDeadline<T>(request: () => Promise<T>): Promise<T> {
  const remaining = remainingMs();
  if (remaining === Infinity) return request();
  if (remaining <= 0) throw noAnswer();
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(noAnswer()), remaining);
  });
  try {
    return await Promise.race([request(), limit]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Sends a request to Stripe. Throws `Invalid`, `BadGateway` or `Unavailable` for expected errors; `BadGateway` as well when
 * the running step has no time left, after which the outcome is unknown.
 */
export async function callStripe<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await beforeDeadline(request);
  } catch (error) {
    throw classifyStripeError(error);
  }
}

/** Reads an object from Stripe; null when Stripe has none with this id. Throws as `callStripe`. */
export async function findAtStripe<T>(request: () => Promise<T>): Promise<T | null> {
  try {
    return await callStripe(request);
  } catch (error) {
    if (stripeCodeOf(error) === 'resource_missing') return null;
    throw error;
  }
}
