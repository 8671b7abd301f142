import type Stripe from 'stripe';
import { idOf } from '../../payments/our-objects';
import type { StripeAccess } from '../../payments/payments-context';
import { callStripe } from '../../payments/stripe-errors';

/** Stripe renews these (docs.stripe.com/billing/subscriptions/overview, "Subscription statuses"). */
const RENEWING: ReadonlySet<string> = new Set(['trialing', 'active', 'past_due']);

/** The next renewal as Stripe would invoice it now. */
export interface RenewalPreview {
  /** What is charged, in pence, with discounts, tax and the customer's credit. */
  pence: number;
  /** When the current period ends (epoch seconds). */
  at: number;
  /** The price of the next period. */
  priceId: string | null;
}

/** What to preview: the schedule when one manages the subscription; a cancelled subscription as if it were reactivated. */
function subjectOf(subscription: Stripe.Subscription, periodEnd: number): Stripe.InvoiceCreatePreviewParams {
  const schedule = idOf(subscription.schedule);
  if (schedule !== null) return { schedule };
  const { id, cancel_at: date, cancel_at_period_end: flag } = subscription;
  if (flag) return { subscription: id, subscription_details: { cancel_at_period_end: false } };
  if (date !== null && date <= periodEnd)
    return { subscription: id, subscription_details: { cancel_at: '' } };
  return { subscription: id };
}

/** A trial without a card may end without a renewal (docs.stripe.com/billing/subscriptions/trials/free-trials). */
function mayEndWithTrial({ status, default_payment_method, trial_settings }: Stripe.Subscription): boolean {
  const behavior = trial_settings?.end_behavior.missing_payment_method ?? 'create_invoice';
  return status === 'trialing' && default_payment_method === null && behavior !== 'create_invoice';
}

/**
 * Asks Stripe what the next renewal of a subscription charges. Null when nothing renews, when Stripe does not say, or when
 * its answer is about something else: then no amount is shown. It never throws: a preview that fails does not hold up the rest of
 * the sync.
 */
export async function previewRenewal(
  { client }: StripeAccess,
  subscription: Stripe.Subscription,
): Promise<RenewalPreview | null> {
  const periodEnd = subscription.items.data[0]?.current_period_end;
  if (periodEnd === undefined || !RENEWING.has(subscription.status) || mayEndWithTrial(subscription))
    return null;
  let preview: Stripe.Invoice;
  try {
    preview = await callStripe(() => client.invoices.createPreview(subjectOf(subscription, periodEnd)));
  } catch {
    return null;
  }
  const next = preview.lines.data.find(
    ({ period, parent }) =>
      period.start === periodEnd && parent?.subscription_item_details?.proration === false,
  );
  if (next === undefined || preview.currency !== 'gbp') return null;
  return {
    pence: preview.amount_due,
    at: periodEnd,
    priceId: idOf(next.pricing?.price_details?.price),
  };
}
