import type { PaymentIntents } from '../payments/payment-intents';
import type { Store } from '../store';

/** The store with what billing needs beside it. */
export interface BillingStore extends Store {
  intents: PaymentIntents;
  /** The sandbox's origin, for the addresses of hosted pages. */
  origin(): string;
}
