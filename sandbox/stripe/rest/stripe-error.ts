import type Stripe from 'stripe';

/** The `error` object of a failed response (docs.stripe.com/api/errors). */
export interface StripeErrorBody {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error' | 'rate_limit_error';
  message: string;
  code?: string;
  decline_code?: string;
  param?: string;
  charge?: string;
  advice_code?: string;
  payment_intent?: Stripe.PaymentIntent;
  payment_method?: Stripe.PaymentMethod;
}

/** A refusal in Stripe's shape. Route handlers throw it; the REST layer sends it. */
export class StripeError extends Error {
  constructor(
    readonly status: number,
    readonly body: StripeErrorBody,
  ) {
    super(body.message);
  }
}

/** A 400 `invalid_request_error`. */
export function invalidRequest(message: string, code?: string, param?: string): StripeError {
  return new StripeError(400, { type: 'invalid_request_error', message, code, param });
}

/** A 400 for a parameter that this request needs. */
export function parameterMissing(param: string): StripeError {
  return invalidRequest(`Missing required param: ${param}.`, 'parameter_missing', param);
}

/**
 * An unknown id: 404 when the request's path names it, 400 when a parameter does.
 * @param param the parameter that named the id; absent for the path
 */
export function resourceMissing(noun: string, id: string, param?: string): StripeError {
  const message = `No such ${noun}: '${id}'`;
  return new StripeError(param === undefined ? 404 : 400, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message,
    param: param ?? 'id',
  });
}

/** A 400 for something that Stripe does but the sandbox does not. */
export function notInSandbox(what: string, param?: string): StripeError {
  return invalidRequest(`sandbox: ${what} is not implemented`, 'sandbox_not_implemented', param);
}

/** A 402: the card or its bank refuses. */
export function cardError(refusal: Omit<StripeErrorBody, 'type'>): StripeError {
  return new StripeError(402, { type: 'card_error', ...refusal });
}
