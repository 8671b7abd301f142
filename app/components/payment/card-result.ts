import type { PaymentIntent, StripeError } from '@stripe/stripe-js';
import { CARD_ERRORS } from './payment-texts';

const PAID: readonly PaymentIntent.Status[] = ['succeeded', 'processing'];

/** Whether Stripe reports a payment as made to the browser. */
export function isPaid(intent: Pick<PaymentIntent, 'status'> | undefined): boolean {
  return intent !== undefined && PAID.includes(intent.status);
}

/** Why a payment failed, for the error box; null when it was paid: perhaps in another tab, which shares the payment. */
export function failureOf({
  error,
  paymentIntent,
}: {
  error?: StripeError;
  paymentIntent?: PaymentIntent;
}): string | null {
  if (isPaid(paymentIntent) || isPaid(error?.payment_intent)) return null;
  return error === undefined ? CARD_ERRORS.notCompleted : (error.message ?? CARD_ERRORS.failed);
}
