/** The address of Stripe.js and the key that it needs. */
export interface StripeForBrowser {
  jsUrl: string;
  publishableKey: string;
}

interface StepFacts {
  stripe: StripeForBrowser;
  /** The page without the payment step. */
  leaveTo: string;
  /** Due today; for a new subscription its price, which Stripe takes credit off. */
  amountPence: number;
}

/** A step in which the member pays. Nothing is charged before the member presses its button. */
export type PaymentStepFacts = StepFacts &
  (
    | {
        kind: 'subscription';
        packageId: string;
        name: string;
        durationDays: number;
      }
    | {
        kind: 'tokens';
        packageId: string;
        tokenCount: number;
        /** Free members read that the desktop app, which spends tokens, needs Pro. */
        needsPro: boolean;
        /** Whether there is a version of the desktop app to download. */
        hasApp: boolean;
      }
    | {
        kind: 'confirm';
        clientSecret: string;
        /** Stripe's page for the same payment. */
        hostedInvoiceUrl: string;
      }
  );

/** The server's answer after it has created a payment. */
export interface CreatedPayment {
  /** Null: there is nothing to pay. */
  clientSecret: string | null;
  /** Due now, as Stripe says: the price less the account's credit. */
  amountPence: number;
  /** The page that shows the outcome. */
  outcome: string;
}

/** A payment that the member has left the payment step for. */
export interface PaymentOutcome {
  kind: 'subscription' | 'tokens' | 'confirm';
  /** left: the member came back from Stripe's page without paying. */
  state: 'waiting' | 'done' | 'failed' | 'left';
  /** Stripe's report to the browser; null for none. Only its event to the server proves it. */
  reported: 'paid' | 'failed' | null;
  /** Where a failed payment can be tried again. */
  retry: string;
}
