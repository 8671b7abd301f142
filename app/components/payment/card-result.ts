import type { PaymentIntent, StripeError } from '@stripe/stripe-js';
import { declineHelp, RETRY_IS_SAFE } from './decline-help';
import { CARD_ERRORS } from './payment-texts';

const PAID: readonly PaymentIntent.Status[] = ['succeeded', 'processing'];

/** Why a payment failed, what that means for the member, and what to do next. */
export interface CardFailure {
  reason: string;
  /** Null when the reason is enough. */
  help: string | null;
}

/** The failure of a payment whose outcome did not reach the browser. */
export const UNEXPECTED_FAILURE: CardFailure = { reason: CARD_ERRORS.unexpected, help: RETRY_IS_SAFE };

/** Whether Stripe.js reports a payment as made. */
export function isPaid(intent: Pick<PaymentIntent, 'status'> | undefined): boolean {
  return intent !== undefined && PAID.includes(intent.status);
}

/** Why a payment failed, for the error box; null when it was paid, perhaps in another tab. */
export function failureOf({
  error,
  paymentIntent,
}: {
  error?: StripeError;
  paymentIntent?: PaymentIntent;
}): CardFailure | null {
  if (isPaid(paymentIntent) || isPaid(error?.payment_intent)) return null;
  if (error === undefined) return { reason: CARD_ERRORS.notCompleted, help: declineHelp({}) };
  return { reason: error.message ?? CARD_ERRORS.failed, help: helpOf(error) };
}

function helpOf(error: StripeError): string | null {
  switch (error.type) {
    // The form marks the fields; nothing was sent to a bank.
    case 'validation_error':
      return null;
    case 'card_error':
      return declineHelp(error);
    default:
      // The bank's window was closed or refused (docs.stripe.com/error-codes), or Stripe did not answer.
      return error.code === 'payment_intent_authentication_failure' ? declineHelp(error) : RETRY_IS_SAFE;
  }
}
