import type Stripe from 'stripe';
import { requireAttached } from '../../payments/customers';
import { invalidRequest, notInSandbox } from '../../rest/stripe-error';
import { idOf, mergeMetadata } from '../../store';
import type { BillingStore } from '../billing-store';
import { invoiceFacts } from '../invoices/invoice-intent';
import { attemptPayment, paymentRefusal, voidInvoice } from '../invoices/invoices';
import { planChange, type PlanChange } from './plan-change';
import { requestedCancellation } from './cancellation';
import {
  applyChange,
  dropPending,
  invoiceChange,
  isOver,
  isRunning,
  keepPending,
  SUBSCRIPTION_UPDATED,
} from './subscription-state';

/** What a pending update may hold (Stripe docs, "Pending updates reference", supported attributes). */
const PENDING_FIELDS = [
  'expand',
  'items',
  'off_session',
  'payment_behavior',
  'proration_behavior',
  'proration_date',
];
const FIELDS_OF_CANCELED = ['cancellation_details', 'metadata', 'expand'];
const BEHAVIORS = ['allow_incomplete', 'default_incomplete', 'error_if_incomplete', 'pending_if_incomplete'];

/**
 * Updates a subscription. A change of price that costs money now is charged by `payment_behavior`: `allow_incomplete`
 * (the default) and `default_incomplete` apply it at once, `pending_if_incomplete` when it is paid,
 * `error_if_incomplete` only if it is paid.
 * @throws StripeError for parameters that this subscription cannot take, and 402 for `error_if_incomplete`
 */
export function updateSubscription(
  store: BillingStore,
  subscription: Stripe.Subscription,
  params: Stripe.SubscriptionUpdateParams,
): Stripe.Subscription {
  const names = Object.keys(params);
  if (isOver(subscription) && names.some((name) => !FIELDS_OF_CANCELED.includes(name)))
    throw invalidRequest(
      'A canceled subscription can only update its cancellation_details and metadata.',
      'invalid_canceled_subscription_fields',
    );
  const behavior = params.payment_behavior ?? 'allow_incomplete';
  if (!BEHAVIORS.includes(behavior)) throw notInSandbox(`payment_behavior=${behavior}`, 'payment_behavior');
  if (behavior === 'pending_if_incomplete') {
    const refused = names.find((name) => !PENDING_FIELDS.includes(name));
    if (refused !== undefined)
      throw invalidRequest(
        `When \`payment_behavior\` is set to \`pending_if_incomplete\`, you cannot pass \`${refused}\`. See https://stripe.com/docs/billing/subscriptions/pending-updates-reference#supported-attributes for the supported attributes.`,
        undefined,
        refused,
      );
  }
  if (params.default_payment_method !== undefined)
    requireAttached(
      store,
      store.require('customer', idOf(subscription.customer)!),
      params.default_payment_method,
    );
  const change = planChange(store, subscription, params);
  if (change && !isRunning(subscription))
    throw notInSandbox(`a change of price of a subscription with status ${subscription.status}`, 'items');

  const fields = plainChanges(store, subscription, params);
  if (!change) {
    store.update(subscription, fields, SUBSCRIPTION_UPDATED);
    return subscription;
  }
  if (behavior !== 'error_if_incomplete') store.update(subscription, fields, SUBSCRIPTION_UPDATED);
  changePlan(store, subscription, change, {
    behavior,
    offSession: params.off_session ?? false,
    prorationDate: params.proration_date ?? store.now(),
  });
  if (behavior === 'error_if_incomplete') store.update(subscription, fields, SUBSCRIPTION_UPDATED);
  return subscription;
}

/** The pause of payments that an update sets or ends; undefined when the request does not mention it. */
function requestedPause({
  pause_collection: pause,
}: Stripe.SubscriptionUpdateParams): Stripe.Subscription.PauseCollection | null | undefined {
  if (pause === undefined) return undefined;
  if (pause === null || pause === '') return null;
  if (pause.behavior !== 'void')
    throw notInSandbox(`pause_collection[behavior]=${pause.behavior}`, 'pause_collection[behavior]');
  return { behavior: pause.behavior, resumes_at: pause.resumes_at ?? null };
}

/** The changes that cost nothing. */
function plainChanges(
  store: BillingStore,
  subscription: Stripe.Subscription,
  params: Stripe.SubscriptionUpdateParams,
): Partial<Stripe.Subscription> {
  const { metadata, description, default_payment_method, payment_settings, cancellation_details } = params;
  const pause = requestedPause(params);
  const cancellation = requestedCancellation(store, subscription, params);
  const isCanceling = cancellation === null ? undefined : cancellation.cancel_at !== null;
  const details = subscription.cancellation_details;
  const hasChanged =
    cancellation !== null &&
    (cancellation.cancel_at !== subscription.cancel_at ||
      cancellation.cancel_at_period_end !== subscription.cancel_at_period_end);
  const { comment, feedback } = cancellation_details ?? {};
  return {
    ...(metadata !== undefined && { metadata: mergeMetadata(subscription.metadata, metadata) }),
    ...(description !== undefined && { description: description || null }),
    ...(default_payment_method !== undefined && { default_payment_method }),
    ...(pause !== undefined && { pause_collection: pause }),
    ...(payment_settings?.save_default_payment_method !== undefined && {
      payment_settings: {
        payment_method_options: null,
        payment_method_types: null,
        save_default_payment_method: payment_settings.save_default_payment_method,
      },
    }),
    ...(hasChanged && {
      ...cancellation,
      canceled_at: isCanceling ? store.now() : null,
    }),
    ...((hasChanged || cancellation_details !== undefined) && {
      cancellation_details: {
        comment:
          comment === undefined
            ? isCanceling === false
              ? null
              : (details?.comment ?? null)
            : comment || null,
        feedback:
          feedback === undefined
            ? isCanceling === false
              ? null
              : (details?.feedback ?? null)
            : feedback || null,
        feedback_option: null,
        reason: hasChanged
          ? isCanceling
            ? ('cancellation_requested' as const)
            : null
          : (details?.reason ?? null),
      },
    }),
  };
}

interface HowToPay {
  behavior: string;
  offSession: boolean;
  prorationDate: number;
}

function changePlan(
  store: BillingStore,
  subscription: Stripe.Subscription,
  change: PlanChange,
  { behavior, offSession, prorationDate }: HowToPay,
): void {
  // A further update replaces the pending one.
  dropPending(store, subscription, false);
  if (change.lines.length === 0) {
    applyChange(store, subscription, change);
    return;
  }
  const invoice = invoiceChange(store, subscription, change, prorationDate);
  const latest = { latest_invoice: invoice.id };
  // The latest invoice decides: once it is paid, an older unpaid one leaves the subscription active.
  const paid = { ...latest, ...(subscription.status === 'past_due' && { status: 'active' as const }) };
  if (invoice.status === 'paid') {
    applyChange(store, subscription, change, paid);
    return;
  }
  if (behavior === 'default_incomplete') {
    applyChange(store, subscription, change, { ...latest, status: 'past_due' });
    return;
  }
  if (behavior === 'allow_incomplete') {
    applyChange(store, subscription, change, latest);
    attemptPayment(store, invoice, { offSession, isScheduled: true });
    if (invoice.status !== 'paid') store.update(subscription, { status: 'past_due' }, SUBSCRIPTION_UPDATED);
    return;
  }
  invoiceFacts(store, invoice).isOptional = true;
  attemptPayment(store, invoice, { offSession, isScheduled: false });
  const refusal = paymentRefusal(store, invoice, 'subscription');
  if (!refusal) applyChange(store, subscription, change, paid);
  else if (behavior === 'pending_if_incomplete') keepPending(store, subscription, change, invoice);
  else {
    voidInvoice(store, invoice);
    throw refusal;
  }
}
