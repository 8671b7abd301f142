/** An error of Stripe's API or of Stripe.js (docs.stripe.com/api/errors, docs.stripe.com/js/errors). */
export interface ScriptError {
  type: string;
  message: string;
  code?: string;
  decline_code?: string;
  payment_intent?: ScriptIntent;
}

/** What the script reads of a PaymentIntent. */
export interface ScriptIntent {
  id: string;
  status: string;
  client_secret: string;
  last_payment_error: ScriptError | null;
  next_action: {
    type: string;
    use_stripe_sdk?: { stripe_js?: string };
    redirect_to_url?: { url: string };
  } | null;
}

/** The result of Stripe.js' calls. They reject only for a fault of the integration. */
export type Outcome = { paymentIntent: ScriptIntent } | { error: ScriptError };

/** The appearance of Elements (docs.stripe.com/elements/appearance-api): what the card fields use of it. */
export interface Appearance {
  theme?: string;
  labels?: string;
  variables?: Record<string, string>;
  rules?: Record<string, Record<string, string>>;
}

export interface ElementsOptions {
  clientSecret?: string;
  mode?: string;
  amount?: number;
  currency?: string;
  appearance?: Appearance;
  locale?: string;
  fonts?: { cssSrc?: string; family?: string; src?: string }[];
}

/** What the page sends to the frame of an element when it has loaded. */
export interface FrameSetup {
  type: string;
  key: string;
  locale: string;
  appearance: Appearance;
  fonts: NonNullable<ElementsOptions['fonts']>;
  options: Record<string, unknown>;
}

/** What the page asks the frame of an element to confirm. The card's data stay in the frame. */
export interface ConfirmRequest {
  clientSecret: string;
  returnUrl: string | null;
  billingDetails: Record<string, unknown>;
}

/** The frame's value, without the card's data. */
export interface FieldState {
  empty: boolean;
  complete: boolean;
  brand: string;
  error: ScriptError | null;
}
