import type { PaymentIntents } from '../payments/payment-intents';
import type { Store } from '../store';

/** The store with the other dependencies of billing. */
export interface BillingStore extends Store {
  intents: PaymentIntents;
  /** The sandbox's origin, for the addresses of hosted pages. */
  origin(): string;
}
