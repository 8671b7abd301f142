import type Stripe from 'stripe';
import type { Schedule } from '../clock';
import type { BillingStore } from './billing-store';
import { expireSession } from './checkout/checkout-session';
import { attemptPayment, finalizeInvoice, voidInvoice } from './invoices/invoices';
import { subscriptionIdOf } from './invoices/invoice-object';
import { itemOf } from './subscriptions/plan-change';
import {
  dropPending,
  endSubscription,
  INCOMPLETE_LIFETIME,
  isOver,
  isRunning,
  renewSubscription,
  SUBSCRIPTION_UPDATED,
} from './subscriptions/subscription-state';

interface Work {
  /** Epoch seconds. */
  at: number;
  run(): void;
}

/** What falls due in billing: renewals, drafts, retries, and what expires. It is read from the objects each time. */
export function createBillingSchedule(store: BillingStore): Schedule {
  const next = (): Work | null => {
    let first: Work | null = null;
    for (const work of dueWork(store)) if (!first || work.at < first.at) first = work;
    return first;
  };
  return {
    nextDue: () => next()?.at ?? null,
    run: () => next()?.run(),
  };
}

function* dueWork(store: BillingStore): Iterable<Work> {
  for (const subscription of store.list('subscription')) yield* subscriptionWork(store, subscription);
  for (const invoice of store.list('invoice')) yield* invoiceWork(store, invoice);
  for (const session of store.list('checkout.session'))
    if (session.status === 'open') yield { at: session.expires_at, run: () => expireSession(store, session) };
}

function* subscriptionWork(store: BillingStore, subscription: Stripe.Subscription): Iterable<Work> {
  if (subscription.status === 'incomplete')
    yield {
      at: subscription.created + INCOMPLETE_LIFETIME,
      run: () => endSubscription(store, subscription, null),
    };
  if (!isRunning(subscription)) return;
  const { pending_update: pending, cancel_at: cancelAt } = subscription;
  const resumesAt = subscription.pause_collection?.resumes_at ?? null;
  if (resumesAt !== null)
    yield {
      at: resumesAt,
      run: () => store.update(subscription, { pause_collection: null }, SUBSCRIPTION_UPDATED),
    };
  if (pending) yield { at: pending.expires_at, run: () => dropPending(store, subscription, true) };
  const end = itemOf(subscription).current_period_end;
  if (cancelAt !== null && cancelAt <= end)
    yield { at: cancelAt, run: () => endSubscription(store, subscription, 'cancellation_requested') };
  else yield { at: end, run: () => renewSubscription(store, subscription) };
}

function* invoiceWork(store: BillingStore, invoice: Stripe.Invoice): Iterable<Work> {
  if (invoice.status === 'draft' && invoice.automatically_finalizes_at !== null)
    yield { at: invoice.automatically_finalizes_at, run: () => finalizeAndCharge(store, invoice) };
  if (invoice.status === 'open' && invoice.next_payment_attempt !== null)
    yield { at: invoice.next_payment_attempt, run: () => charge(store, invoice) };
}

function finalizeAndCharge(store: BillingStore, invoice: Stripe.Invoice): void {
  finalizeInvoice(store, invoice);
  const subscription = store.find('subscription', subscriptionIdOf(invoice) ?? '');
  if (invoice.status === 'open' && subscription !== undefined && subscription.pause_collection !== null)
    voidInvoice(store, invoice);
  if (invoice.status === 'open') charge(store, invoice);
}

/** An attempt by Stripe's schedule. After the last one fails, the subscription is cancelled. */
function charge(store: BillingStore, invoice: Stripe.Invoice): void {
  attemptPayment(store, invoice, { offSession: true, isScheduled: true });
  if (invoice.status !== 'open' || invoice.next_payment_attempt !== null) return;
  const subscription = store.find('subscription', subscriptionIdOf(invoice) ?? '');
  if (subscription && !isOver(subscription)) endSubscription(store, subscription, 'payment_failed');
}
