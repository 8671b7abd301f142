import type Stripe from 'stripe';
import { cardError, invalidRequest } from '../rest/stripe-error';
import { mergeMetadata, type Store } from '../store';
import {
  cardFields,
  readTypedCard,
  TEST_CARDS,
  UNKNOWN_CARD_DECLINE,
  type TestCard,
  type TypedCard,
} from './cards';

/** State of a payment method that the API does not return. */
interface MethodFacts {
  number: string;
  /** A payment with `setup_future_usage` or a set-up succeeded. */
  isSetUp: boolean;
  /** It paid without a customer: Stripe refuses to use it again. */
  isSpent: boolean;
}

interface BillingDetails {
  address?: Partial<Stripe.Address> | '' | null;
  email?: string | null;
  name?: string | null;
  phone?: string | null;
}

export interface MethodInput {
  card: TypedCard;
  billingDetails?: BillingDetails;
  metadata?: Stripe.MetadataParam | '' | null;
}

/**
 * A payment method of a typed card, not yet attached.
 * @throws StripeError when the number, the expiry or the security code is malformed
 */
export function createPaymentMethod(store: Store, input: MethodInput): Stripe.PaymentMethod {
  const { number, card } = readTypedCard(input.card, store.now());
  const method = insertMethod(store, number, card);
  method.billing_details = billingDetailsOf(input.billingDetails, method.billing_details);
  method.metadata = mergeMetadata({}, input.metadata);
  return method;
}

/**
 * Finds a payment method. One of Stripe's test ids such as `pm_card_visa` makes a new one.
 * @throws StripeError `resource_missing`
 */
export function takePaymentMethod(store: Store, id: string, param = 'payment_method'): Stripe.PaymentMethod {
  const testCard = TEST_CARDS.find((candidate) => candidate.ids.includes(id));
  if (!testCard) return store.require('payment_method', id, param);
  const year = new Date(store.now() * 1000).getUTCFullYear() + 2;
  return insertMethod(store, testCard.number, cardFields(testCard.number, 12, year));
}

function insertMethod(store: Store, number: string, card: Stripe.PaymentMethod.Card): Stripe.PaymentMethod {
  const method: Stripe.PaymentMethod = {
    id: store.newId('payment_method'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: { address: EMPTY_ADDRESS, email: null, name: null, phone: null, tax_id: null },
    card,
    created: store.now(),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  };
  store.factsOf<MethodFacts>(method.id).number = number;
  return store.insert('payment_method', method);
}

const EMPTY_ADDRESS = { city: null, country: null, line1: null, line2: null, postal_code: null, state: null };

function billingDetailsOf(
  given: BillingDetails | undefined,
  before: Stripe.PaymentMethod.BillingDetails,
): Stripe.PaymentMethod.BillingDetails {
  if (!given) return before;
  const { address, ...rest } = given;
  const details = { ...before };
  for (const [name, value] of Object.entries(rest)) Object.assign(details, { [name]: value || null });
  if (address !== undefined) {
    const parts = Object.entries(address || {}).map(([name, value]) => [name, value || null]);
    details.address = { ...EMPTY_ADDRESS, ...Object.fromEntries(parts) } as Stripe.Address;
  }
  return details;
}

/** How the card of a payment method behaves. An unknown number is refused when it is used. */
export function behaviourOf(store: Store, method: Stripe.PaymentMethod): TestCard {
  const { number = '' } = store.factsOf<MethodFacts>(method.id);
  return (
    TEST_CARDS.find((candidate) => candidate.number === number) ?? {
      number,
      ids: [],
      brand: 'visa',
      authentication: 'never',
      decline: UNKNOWN_CARD_DECLINE,
      refusesAttach: true,
      isDisputed: false,
    }
  );
}

export function needsAuthentication(store: Store, method: Stripe.PaymentMethod): boolean {
  const { authentication } = behaviourOf(store, method);
  if (authentication === 'until-set-up') return store.factsOf<MethodFacts>(method.id).isSetUp !== true;
  return authentication === 'always';
}

/** Records that the buyer authenticated the card for later payments. */
export function markSetUp(store: Store, method: Stripe.PaymentMethod): void {
  store.factsOf<MethodFacts>(method.id).isSetUp = true;
}

/** Records that the method paid without a customer, so that it cannot be used again. */
export function markSpent(store: Store, method: Stripe.PaymentMethod): void {
  if (method.customer === null) store.factsOf<MethodFacts>(method.id).isSpent = true;
}

/** @throws StripeError when the method paid without a customer */
export function refuseSpent(store: Store, method: Stripe.PaymentMethod): void {
  if (store.factsOf<MethodFacts>(method.id).isSpent)
    throw invalidRequest(
      'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, shared with a connected account without Customer attachment, or was detached from a Customer. It may not be used again. To use a PaymentMethod multiple times, you must attach it to a Customer first.',
      undefined,
      'payment_method',
    );
}

/**
 * Attaches a payment method to a customer and emits `payment_method.attached`. Does nothing when it is attached already.
 * @throws StripeError when it belongs to another customer, cannot be used again, or the bank refuses the card
 */
export function attachPaymentMethod(
  store: Store,
  method: Stripe.PaymentMethod,
  customer: Stripe.Customer,
): void {
  if (method.customer === customer.id) return;
  if (method.customer !== null)
    throw invalidRequest('The payment method you provided has already been attached to a customer.');
  refuseSpent(store, method);
  const { refusesAttach, decline } = behaviourOf(store, method);
  if (refusesAttach && decline)
    throw cardError({ code: decline.code, decline_code: decline.declineCode, message: decline.message });
  method.customer = customer.id;
  store.emit('payment_method.attached', method);
}
