import type Stripe from 'stripe';
import { byCreated, byId, listRoute } from '../rest/list';
import { route, type Call, type Route } from '../rest/rest';
import { invalidRequest, parameterMissing, StripeError } from '../rest/stripe-error';
import { mergeMetadata } from '../store';
import type { TypedCard } from './cards';
import { createPaymentMethod, type MethodInput } from './payment-methods';
import { refusedCard } from './intent-checks';
import type { ConfirmInput, PaymentIntents } from './payment-intents';

/** What Stripe.js sends beside the SDK's parameters. */
interface BrowserParams {
  client_secret?: string;
  payment_method_data?: { type?: string; card?: TypedCard; billing_details?: MethodInput['billingDetails'] };
}

const CONFIRMATION = ['off_session', 'return_url', 'use_stripe_sdk', 'error_on_requires_action'];

/** What a publishable key may see of a payment intent (docs.stripe.com/api/payment_intents/object, "retrievable with publishable key"). */
const PUBLIC_FIELDS = [
  'id',
  'object',
  'amount',
  'automatic_payment_methods',
  'canceled_at',
  'cancellation_reason',
  'capture_method',
  'client_secret',
  'confirmation_method',
  'created',
  'currency',
  'description',
  'last_payment_error',
  'livemode',
  'next_action',
  'payment_method',
  'payment_method_types',
  'processing',
  'receipt_email',
  'setup_future_usage',
  'shipping',
  'status',
] as const satisfies readonly (keyof Stripe.PaymentIntent)[];

/** The routes below `/v1/payment_intents`. */
export function paymentIntentRoutes(intents: PaymentIntents): Route[] {
  /** The intent of a path. A publishable key needs its client secret. */
  function requireIntent({ store, id, params, key }: Call<object>): Stripe.PaymentIntent {
    const intent = store.require('payment_intent', id);
    const { client_secret: secret } = params as BrowserParams;
    if (key === 'publishable' && secret === undefined) throw parameterMissing('client_secret');
    if (secret !== undefined && secret !== intent.client_secret)
      throw new StripeError(400, {
        type: 'invalid_request_error',
        code: 'payment_intent_invalid_parameter',
        message: `The client_secret provided does not match the client_secret associated with the PaymentIntent '${id}'.`,
        param: 'client_secret',
      });
    return intent;
  }

  function confirm(intent: Stripe.PaymentIntent, input: ConfirmInput, key: Call<object>['key']): void {
    const mayRedirect = intent.automatic_payment_methods?.allow_redirects === 'always';
    if (key === 'secret' && mayRedirect && !input.returnUrl && !input.offSession && !input.useStripeSdk)
      throw invalidRequest(
        "This PaymentIntent is configured to accept payment methods enabled in your Dashboard. Because some of these payment methods might redirect your customer off of your page, you must provide a `return_url`. If you don't want to accept redirect-based payment methods, set `automatic_payment_methods[enabled]` to `true` and `automatic_payment_methods[allow_redirects]` to `never` when creating Setup Intents and Payment Intents.",
        'parameter_missing',
        'return_url',
      );
    const result = intents.confirm(intent, input);
    if (result.outcome !== 'failed') return;
    const { payment_intent: refused } = result.refusal;
    throw refusedCard({
      ...result.refusal,
      payment_intent: refused && (answerTo(key, refused) as Stripe.PaymentIntent),
    });
  }

  const answerTo = (key: Call<object>['key'], intent: Stripe.PaymentIntent): object =>
    key === 'secret' ? intent : Object.fromEntries(PUBLIC_FIELDS.map((name) => [name, intent[name]]));

  return [
    route<Stripe.PaymentIntentCreateParams>({
      method: 'POST',
      path: '/v1/payment_intents',
      implemented: [
        ...CONFIRMATION,
        'amount',
        'currency',
        'customer',
        'description',
        'metadata',
        'payment_method',
        'receipt_email',
        'setup_future_usage',
        'automatic_payment_methods',
        'allowed_payment_method_types',
        'confirm',
      ],
      run({ store, params, key }) {
        const allowed = params.allowed_payment_method_types;
        if (allowed && !allowed.includes('card'))
          throw invalidRequest('sandbox: only cards are served', undefined, 'allowed_payment_method_types');
        const onlyWithConfirm = CONFIRMATION.find((name) => name in params);
        if (onlyWithConfirm && !params.confirm && onlyWithConfirm !== 'use_stripe_sdk')
          throw invalidRequest(
            `The parameter \`${onlyWithConfirm}\` cannot be passed when creating a PaymentIntent unless \`confirm\` is set to true.`,
            undefined,
            onlyWithConfirm,
          );
        if (params.customer) store.require('customer', params.customer, 'customer');
        const intent = intents.create({
          amount: params.amount,
          currency: params.currency,
          customer: params.customer,
          description: params.description,
          metadata: mergeMetadata({}, params.metadata),
          receiptEmail: params.receipt_email,
          setupFutureUsage: params.setup_future_usage,
          paymentMethod: params.payment_method,
          allowedTypes: allowed ?? null,
          automatic: automaticMethods(params),
        });
        if (params.confirm) confirm(intent, confirmInput(params), key);
        return intent;
      },
    }),
    listRoute('payment_intent', '/v1/payment_intents', { customer: byId('customer'), created: byCreated }),
    route<Stripe.PaymentIntentRetrieveParams>({
      method: 'GET',
      path: '/v1/payment_intents/:id',
      publishable: true,
      implemented: ['client_secret'],
      run: (call) => answerTo(call.key, requireIntent(call)),
    }),
    route<Stripe.PaymentIntentConfirmParams & BrowserParams>({
      method: 'POST',
      path: '/v1/payment_intents/:id/confirm',
      publishable: true,
      implemented: [
        ...CONFIRMATION,
        'payment_method',
        'payment_method_data.type',
        'payment_method_data.card',
        'payment_method_data.billing_details',
        'receipt_email',
        'setup_future_usage',
      ],
      run(call) {
        const { store, params, key } = call;
        const intent = requireIntent(call);
        const input = confirmInput(params);
        if (key === 'publishable' && input.offSession !== undefined)
          throw invalidRequest(
            'You cannot use `off_session` with a publishable key.',
            undefined,
            'off_session',
          );
        const { payment_method_data: typed } = params as BrowserParams;
        if (typed?.card) {
          const method = createPaymentMethod(store, {
            card: typed.card,
            billingDetails: typed.billing_details,
          });
          input.paymentMethod = method.id;
        }
        if (params.receipt_email !== undefined) intent.receipt_email = params.receipt_email || null;
        if (params.setup_future_usage) intent.setup_future_usage = params.setup_future_usage;
        confirm(intent, input, key);
        return answerTo(key, intent);
      },
    }),
    route<Stripe.PaymentIntentCancelParams>({
      method: 'POST',
      path: '/v1/payment_intents/:id/cancel',
      implemented: ['cancellation_reason'],
      run(call) {
        const intent = requireIntent(call);
        const owner = intents.ownerOf(intent.id);
        if (owner)
          throw invalidRequest(
            owner.kind === 'invoice'
              ? `You cannot cancel PaymentIntents that are attached to an invoice: void the invoice ${owner.id} instead.`
              : `You cannot cancel PaymentIntents created by Checkout: expire the session ${owner.id} instead.`,
            'payment_intent_unexpected_state',
          );
        intents.cancel(intent, call.params.cancellation_reason ?? null);
        return intent;
      },
    }),
  ];
}

function automaticMethods(
  params: Stripe.PaymentIntentCreateParams,
): Stripe.PaymentIntent.AutomaticPaymentMethods | null {
  const given = params.automatic_payment_methods;
  if (given && !given.enabled) return null;
  // Automatic methods are Stripe's default since 2023-08-16, unless the request names the types itself.
  if (!given && params.allowed_payment_method_types) return null;
  return { enabled: true, allow_redirects: given?.allow_redirects ?? 'always' };
}

function confirmInput(
  params: Pick<
    Stripe.PaymentIntentCreateParams,
    'payment_method' | 'off_session' | 'return_url' | 'use_stripe_sdk' | 'error_on_requires_action'
  >,
): ConfirmInput {
  return {
    paymentMethod: params.payment_method,
    // `one_off` and `recurring` are older spellings of true.
    offSession: params.off_session === undefined ? undefined : params.off_session !== false,
    returnUrl: params.return_url,
    useStripeSdk: params.use_stripe_sdk,
    errorOnRequiresAction: params.error_on_requires_action,
  };
}
