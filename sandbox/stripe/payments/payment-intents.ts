import type Stripe from 'stripe';
import { challengePath } from '../pages/hosted-page';
import { invalidRequest, type StripeErrorBody } from '../rest/stripe-error';
import { idOf, type Store } from '../store';
import { AUTHENTICATION_REQUIRED, type Decline } from './cards';
import { createCharge } from './charges';
import { refuseCancel, refuseConfirm } from './intent-checks';
import { intentObject, type IntentInput, type IntentOwner } from './intent-object';
import {
  attachPaymentMethod,
  behaviourOf,
  markSetUp,
  markSpent,
  needsAuthentication,
  refuseSpent,
  takePaymentMethod,
} from './payment-methods';

interface IntentFacts {
  owner: IntentOwner;
  returnUrl: string;
}

export interface ConfirmInput {
  /** Absent: the intent's own. */
  paymentMethod?: string;
  /**
   * The buyer is absent. A card that needs authentication is then refused with `authentication_required`; with
   * `billing` (renewals) the intent waits in `requires_action` for the buyer to come back.
   */
  offSession?: boolean | 'billing';
  returnUrl?: string;
  /** Stripe.js shows the challenge itself. */
  useStripeSdk?: boolean;
  /** Refuse instead of asking for authentication. */
  errorOnRequiresAction?: boolean;
}

/** The result of an attempt to pay; `refusal` is the error of the confirm request. */
export type ConfirmResult =
  | { outcome: 'succeeded'; intent: Stripe.PaymentIntent }
  | { outcome: 'requires_action'; intent: Stripe.PaymentIntent }
  | { outcome: 'failed'; intent: Stripe.PaymentIntent; refusal: StripeErrorBody };

export type IntentChange = 'succeeded' | 'failed' | 'requires_action' | 'canceled';
/** Called after the intent's own events, so that invoices and sessions follow. */
export type IntentListener = (intent: Stripe.PaymentIntent, change: IntentChange) => void;

/**
 * The life of payment intents: `requires_payment_method` → `requires_confirmation` → `requires_action` → `succeeded`, or
 * `canceled` (docs.stripe.com/payments/paymentintents/lifecycle).
 * @param origin the sandbox's origin, for the challenge's address
 */
export function createPaymentIntents(store: Store, origin: () => string) {
  const listeners: IntentListener[] = [];
  const notify = (intent: Stripe.PaymentIntent, change: IntentChange) => {
    for (const listener of listeners) listener(intent, change);
  };

  /**
   * Makes a payment intent and emits `payment_intent.created`.
   * @throws StripeError for an amount that Stripe refuses, an unknown customer or payment method
   */
  function create(input: IntentInput): Stripe.PaymentIntent {
    const intent = intentObject(store, input);
    if (input.paymentMethod) useMethod(intent, input.paymentMethod);
    store.insert('payment_intent', intent);
    if (input.owner) store.factsOf<IntentFacts>(intent.id).owner = input.owner;
    store.emit('payment_intent.created', intent);
    return intent;
  }

  /** Puts a payment method on an intent, which then waits for confirmation. */
  function useMethod(intent: Stripe.PaymentIntent, id: string): Stripe.PaymentMethod {
    const method = takePaymentMethod(store, id);
    refuseSpent(store, method);
    if (method.customer !== null && method.customer !== intent.customer)
      throw intent.customer === null
        ? invalidRequest(
            `The PaymentMethod ${method.id} belongs to the Customer ${String(method.customer)}. Please include the Customer in the \`customer\` parameter on the PaymentIntent.`,
            undefined,
            'payment_method',
          )
        : invalidRequest(
            `The PaymentMethod ${method.id} does not belong to the Customer ${idOf(intent.customer)} you supplied.`,
            undefined,
            'payment_method',
          );
    intent.payment_method = method.id;
    intent.status = 'requires_confirmation';
    intent.next_action = null;
    return method;
  }

  /**
   * Tries to pay. A refused card changes the intent and is returned, not thrown, because invoices handle it.
   * @throws StripeError when the intent's state or parameters do not allow it
   */
  function confirm(intent: Stripe.PaymentIntent, input: ConfirmInput): ConfirmResult {
    refuseConfirm(intent);
    const chosen = input.paymentMethod ?? idOf(intent.payment_method);
    if (chosen === null)
      throw invalidRequest(
        "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.",
        'payment_intent_unexpected_state',
      );
    const method = useMethod(intent, chosen);
    if (!needsAuthentication(store, method)) return settle(intent, method);
    if (input.offSession === true || input.errorOnRequiresAction)
      return fail(
        intent,
        method,
        AUTHENTICATION_REQUIRED,
        createCharge(store, intent, method, AUTHENTICATION_REQUIRED),
      );
    if (input.returnUrl) store.factsOf<IntentFacts>(intent.id).returnUrl = input.returnUrl;
    intent.status = 'requires_action';
    intent.next_action = nextAction(intent, input);
    store.emit('payment_intent.requires_action', intent);
    notify(intent, 'requires_action');
    return { outcome: 'requires_action', intent };
  }

  function nextAction(intent: Stripe.PaymentIntent, input: ConfirmInput): Stripe.PaymentIntent.NextAction {
    const url = origin() + challengePath(intent.id);
    return input.returnUrl && !input.useStripeSdk
      ? { type: 'redirect_to_url', redirect_to_url: { return_url: input.returnUrl, url } }
      : { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url } };
  }

  /** Charges a payment that needs no authentication, or has it. */
  function settle(intent: Stripe.PaymentIntent, method: Stripe.PaymentMethod): ConfirmResult {
    const { decline, isDisputed } = behaviourOf(store, method);
    const charge = createCharge(store, intent, method, decline);
    if (decline) return fail(intent, method, decline, charge);
    intent.status = 'succeeded';
    intent.amount_received = intent.amount;
    intent.latest_charge = charge.id;
    intent.next_action = null;
    intent.last_payment_error = null;
    if (intent.setup_future_usage) markSetUp(store, method);
    const customer = intent.customer === null ? undefined : store.find('customer', String(intent.customer));
    if (intent.setup_future_usage && customer) attachPaymentMethod(store, method, customer);
    markSpent(store, method);
    store.emit('payment_intent.succeeded', intent);
    notify(intent, 'succeeded');
    if (isDisputed) for (const listener of disputeListeners) listener(charge);
    return { outcome: 'succeeded', intent };
  }

  const disputeListeners: ((charge: Stripe.Charge) => void)[] = [];

  function fail(
    intent: Stripe.PaymentIntent,
    method: Stripe.PaymentMethod,
    { code, declineCode, message }: Decline | { code: string; declineCode?: string; message: string },
    charge: Stripe.Charge | null,
  ): ConfirmResult {
    const error = {
      code,
      decline_code: declineCode,
      message,
      charge: charge?.id,
      doc_url: `https://stripe.com/docs/error-codes/${code.replace(/_/g, '-')}`,
      type: charge ? ('card_error' as const) : ('invalid_request_error' as const),
    };
    intent.last_payment_error = {
      ...error,
      code: code as Stripe.PaymentIntent.LastPaymentError.Code,
      payment_method: structuredClone(method),
    };
    intent.latest_charge = charge?.id ?? intent.latest_charge;
    intent.status = 'requires_payment_method';
    intent.payment_method = null;
    intent.next_action = null;
    store.emit('payment_intent.payment_failed', intent);
    notify(intent, 'failed');
    const refusal = {
      ...error,
      payment_intent: structuredClone(intent),
      payment_method: structuredClone(method),
    };
    return { outcome: 'failed', intent, refusal };
  }

  /**
   * Ends a challenge. Does nothing when the intent no longer waits for one.
   * @throws StripeError `resource_missing`
   */
  function finishChallenge(id: string, passed: boolean): Stripe.PaymentIntent {
    const intent = store.require('payment_intent', id);
    if (intent.status !== 'requires_action') return intent;
    const method = store.require('payment_method', idOf(intent.payment_method) ?? '', 'payment_method');
    if (passed) settle(intent, method);
    else
      fail(
        intent,
        method,
        {
          code: 'payment_intent_authentication_failure',
          message:
            'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
        },
        null,
      );
    return intent;
  }

  /**
   * Cancels an intent and emits `payment_intent.canceled`.
   * @throws StripeError `payment_intent_unexpected_state` when it succeeded or was canceled
   */
  function cancel(
    intent: Stripe.PaymentIntent,
    reason: Stripe.PaymentIntent.CancellationReason | null,
  ): void {
    refuseCancel(intent);
    intent.status = 'canceled';
    intent.canceled_at = store.now();
    intent.cancellation_reason = reason;
    intent.next_action = null;
    store.emit('payment_intent.canceled', intent);
    notify(intent, 'canceled');
  }

  return {
    create,
    confirm,
    finishChallenge,
    cancel,
    /** Which object made the intent; undefined for one made over the API. */
    ownerOf: (id: string): IntentOwner | undefined => store.factsOf<IntentFacts>(id).owner,
    /** Where the buyer returns to after a challenge in a page of its own; undefined when Stripe.js shows it. */
    returnUrlOf: (id: string): string | undefined => store.factsOf<IntentFacts>(id).returnUrl,
    onChange: (listener: IntentListener) => void listeners.push(listener),
    onDisputedCard: (listener: (charge: Stripe.Charge) => void) => void disputeListeners.push(listener),
  };
}

export type PaymentIntents = ReturnType<typeof createPaymentIntents>;
