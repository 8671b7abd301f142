import type Stripe from 'stripe';
import { checkoutPath } from '../../pages/hosted-page';
import { invalidRequest, notInSandbox, parameterMissing } from '../../rest/stripe-error';
import { idOf, mergeMetadata } from '../../store';
import type { BillingStore } from '../billing-store';
import { productNameOf, requireRecurringPrice, unitAmountOf } from '../catalogue/prices';
import { createProduct } from '../catalogue/products';
import { endSubscription } from '../subscriptions/subscription-state';

const HOUR = 3600;
/** Stripe API, "Create a Checkout Session", expires_at: 30 minutes to 24 hours after creation, by default 24 hours. */
const SHORTEST_LIFETIME = HOUR / 2;
const LONGEST_LIFETIME = 24 * HOUR;

type Params = Stripe.Checkout.SessionCreateParams;

/** State of a session that is not one of its fields: while it is open, Stripe does not show the payment either. */
interface AttachedData {
  params: Params;
  lineItems: Stripe.LineItem[];
  intent: string | null;
  subscription: string | null;
}

export function attachedData(store: BillingStore, { id }: Pick<Stripe.Checkout.Session, 'id'>): AttachedData {
  return store.factsOf<AttachedData>(id) as AttachedData;
}

/** The field that `expand[]=line_items` shows. */
export function lineItemsOf(store: BillingStore, session: Stripe.Checkout.Session) {
  const url = `/v1/checkout/sessions/${session.id}/line_items`;
  return { object: 'list', data: attachedData(store, session).lineItems, has_more: false, url };
}

/** Creates an open session. Throws `StripeError` if Stripe would refuse it. */
export function createSession(store: BillingStore, params: Params): Stripe.Checkout.Session {
  const { mode, success_url } = params;
  if (mode !== 'payment' && mode !== 'subscription') throw notInSandbox(`mode=${mode}`, 'mode');
  if (success_url === undefined) throw parameterMissing('success_url');
  if (params.customer === undefined) throw notInSandbox('a Checkout session without a customer', 'customer');
  const wrong = mode === 'payment' ? 'subscription_data' : 'payment_intent_data';
  if (params[wrong] !== undefined)
    throw invalidRequest(`You can not pass \`${wrong}\` in \`${mode}\` mode.`, undefined, wrong);
  if (params.ui_mode !== undefined && params.ui_mode !== 'hosted_page')
    throw notInSandbox(`ui_mode=${params.ui_mode}`, 'ui_mode');
  const customer = store.require('customer', params.customer, 'customer');
  const now = store.now();
  const expiresAt = params.expires_at ?? now + LONGEST_LIFETIME;
  if (expiresAt < now + SHORTEST_LIFETIME || expiresAt > now + LONGEST_LIFETIME)
    throw invalidRequest(
      'The `expires_at` timestamp must be at least 30 minutes and at most 24 hours from Checkout Session creation.',
      undefined,
      'expires_at',
    );
  const lineItems = readLineItems(store, params, mode);
  const total = lineItems.reduce((sum, { amount_total }) => sum + amount_total, 0);
  const id = store.newId('checkout.session');
  const session = buildSession(store, id, {
    params,
    customer,
    expiresAt,
    total,
    currency: lineItems[0]!.currency,
  });
  Object.assign(attachedData(store, { id }), { params, lineItems, intent: null, subscription: null });
  return store.insert('checkout.session', session);
}

function readLineItems(store: BillingStore, { line_items: given }: Params, mode: string): Stripe.LineItem[] {
  if (!given || given.length === 0) throw parameterMissing('line_items');
  if (mode === 'subscription' && given.length > 1)
    throw notInSandbox('a subscription with several items', 'line_items');
  const items = given.map((item, index): Stripe.LineItem => {
    const param = `line_items[${index}]`;
    const price = readPrice(store, item, mode, param);
    const quantity = item.quantity ?? 1;
    const amount = unitAmountOf(price) * quantity;
    return {
      id: store.newToken('li'),
      object: 'item',
      adjustable_quantity: null,
      amount_discount: 0,
      amount_subtotal: amount,
      amount_tax: 0,
      amount_total: amount,
      currency: price.currency,
      description: productNameOf(store, price),
      metadata: {},
      price,
      quantity,
    };
  });
  if (items.some(({ currency }) => currency !== items[0]!.currency))
    throw invalidRequest('All line items must have the same currency.', undefined, 'line_items');
  return items;
}

function readPrice(
  store: BillingStore,
  item: Params['line_items'] & object extends (infer I)[] ? I : never,
  mode: string,
  param: string,
) {
  if (item.price !== undefined) {
    if (mode === 'subscription') return requireRecurringPrice(store, item.price, `${param}[price]`).price;
    const price = store.require('price', item.price, `${param}[price]`);
    if (!price.active)
      throw invalidRequest(
        'The price specified is inactive. This field only accepts active prices.',
        undefined,
        `${param}[price]`,
      );
    if (price.recurring)
      throw invalidRequest(
        'You specified `payment` mode but passed a recurring price. Either switch to `subscription` mode or use only one-time prices.',
        undefined,
        'mode',
      );
    return price;
  }
  const data = item.price_data;
  if (!data) throw parameterMissing(`${param}[price]`);
  if (mode === 'subscription') throw notInSandbox('price_data in subscription mode', `${param}[price_data]`);
  if (data.unit_amount === undefined) throw parameterMissing(`${param}[price_data][unit_amount]`);
  const product = data.product_data
    ? createProduct(store, data.product_data)
    : store.require('product', data.product ?? '', `${param}[price_data][product]`);
  const price: Stripe.Price = {
    id: store.newId('price'),
    object: 'price',
    // Stripe creates an inactive price from inline data, for this session only.
    active: false,
    billing_scheme: 'per_unit',
    created: store.now(),
    currency: data.currency.toLowerCase(),
    custom_unit_amount: null,
    livemode: false,
    lookup_key: null,
    metadata: {},
    nickname: null,
    product: product.id,
    recurring: null,
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: 'one_time',
    unit_amount: data.unit_amount,
    unit_amount_decimal: String(data.unit_amount) as unknown as Stripe.Price['unit_amount_decimal'],
  };
  return store.insert('price', price);
}

function buildSession(
  store: BillingStore,
  id: string,
  of: { params: Params; customer: Stripe.Customer; expiresAt: number; total: number; currency: string },
): Stripe.Checkout.Session {
  const { params, customer, total } = of;
  return {
    id,
    object: 'checkout.session',
    adaptive_pricing: null,
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: null,
    amount_subtotal: total,
    amount_total: total,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: store.now(),
    currency: of.currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer: customer.id,
    customer_account: null,
    customer_creation: null,
    customer_details: {
      address: null,
      business_name: null,
      email: customer.email,
      individual_name: null,
      name: customer.name ?? null,
      phone: null,
      tax_exempt: 'none',
      tax_ids: [],
    },
    customer_email: null,
    discounts: [],
    expires_at: of.expiresAt,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: params.locale ?? null,
    managed_payments: null,
    metadata: mergeMetadata(null, params.metadata),
    mode: params.mode!,
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: params.mode === 'subscription' ? 'always' : 'if_required',
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    permissions: null,
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: params.submit_type ?? null,
    subscription: null,
    success_url: params.success_url ?? null,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: store.origin() + checkoutPath(id),
    wallet_options: null,
  };
}

/** Completes a paid session. */
export function finishSession(store: BillingStore, session: Stripe.Checkout.Session): void {
  const { intent, subscription } = attachedData(store, session);
  const started = subscription === null ? null : store.require('subscription', subscription);
  Object.assign(session, {
    ...(session.mode === 'payment' && { payment_intent: intent }),
    subscription,
    invoice: started ? idOf(started.latest_invoice) : null,
    payment_status: session.amount_total === 0 ? 'no_payment_required' : 'paid',
    status: 'complete',
    url: null,
  });
  store.emit('checkout.session.completed', session);
}

/** Closes an open session; a started payment can no longer succeed. */
export function expireSession(store: BillingStore, session: Stripe.Checkout.Session): void {
  const { intent, subscription } = attachedData(store, session);
  Object.assign(session, { status: 'expired', url: null });
  const begun = subscription === null ? undefined : store.find('subscription', subscription);
  if (begun?.status === 'incomplete') endSubscription(store, begun, null);
  const payment = intent === null ? undefined : store.find('payment_intent', intent);
  if (
    session.mode === 'payment' &&
    payment &&
    payment.status !== 'canceled' &&
    payment.status !== 'succeeded'
  )
    store.intents.cancel(payment, 'expired');
  store.emit('checkout.session.expired', session);
}

/** Completes a session when its payment succeeds, also after the bank's challenge. */
export function listenForCheckout(store: BillingStore): void {
  store.intents.onChange(({ id }, change) => {
    if (change !== 'succeeded') return;
    const [session] = store.list(
      'checkout.session',
      (found) => found.status === 'open' && attachedData(store, found).intent === id,
    );
    if (session) finishSession(store, session);
  });
}
