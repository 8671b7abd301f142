import Stripe from 'stripe';
import { fromIso } from '../clock';
import { DomainError } from '../errors';
import { findCustomer } from '../payments/customers.server';
import { requireStripe, type Payer, type PaymentsContext } from '../payments/payments-context';
import { withStripe } from '../payments/stripe-account.server';
import { findAtStripe, isAnswerLost, unknownAtStripe, callStripe } from '../payments/stripe-errors';
import {
  describeChange,
  readCurrent,
  withCurrent,
  WITH_SECRET,
  type ChangedSubscription,
  type Current,
} from './current-subscription.server';
import { endSubscription } from './end-subscription.server';
import { findActiveSubscription, isCanceling, isRenewalUnpaid } from './membership';
import type { SubscriptionRecord } from './read-subscription';
import type { Step } from './subscription-attempts.server';
import { applySubscription, syncSubscription } from './sync/sync-subscription.server';
import { idOf } from '../payments/our-objects';

type Cancellation = Pick<
  Stripe.SubscriptionUpdateParams,
  'cancel_at' | 'cancel_at_period_end' | 'cancellation_details'
>;

/** The parameters that end a subscription with its period; none when it already ends then or before. */
function cancellationFor({
  cancel_at_period_end: flag,
  cancel_at: date,
  current_period_end: periodEnd,
}: Current): Cancellation {
  if (flag === 1 || (date !== null && periodEnd !== null && date <= periodEnd)) return {};
  // Stripe refuses the flag beside a date, which this value replaces (docs.stripe.com/api/subscriptions/update, cancel_at).
  return date === null ? { cancel_at_period_end: true } : { cancel_at: 'min_period_end' };
}

/** Changes how Stripe ends a subscription. A schedule that manages it is released first, with its cancellation. */
async function updateCancellation(
  context: PaymentsContext,
  id: string,
  cancellation: Cancellation,
): Promise<Stripe.Response<Stripe.Subscription>> {
  const { client } = requireStripe(context);
  const update = () => callStripe(() => client.subscriptions.update(id, { ...cancellation, ...WITH_SECRET }));
  try {
    return await update();
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    const subscription = await findAtStripe(() => client.subscriptions.retrieve(id));
    const schedule = idOf(subscription?.schedule);
    if (schedule === null) throw error;
    await callStripe(() => client.subscriptionSchedules.release(schedule));
    return update();
  }
}

/** Removes what ends a subscription at Stripe: the flag, the date, or one after the other: Stripe takes one at a time. */
async function clearCancellation(
  context: PaymentsContext,
  { stripe_subscription_id: id, cancel_at: date }: Current,
): Promise<Stripe.Response<Stripe.Subscription>> {
  const clear = (what: Cancellation) =>
    updateCancellation(context, id, { ...what, cancellation_details: { comment: '' } });
  const answer = await clear(date === null ? { cancel_at_period_end: false } : { cancel_at: '' });
  if (answer.cancel_at_period_end) return clear({ cancel_at_period_end: false });
  return answer.cancel_at === null ? answer : clear({ cancel_at: '' });
}

const dateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'Europe/London' });

function dateOf({ expiresAt }: SubscriptionRecord): string {
  return expiresAt === null ? 'the end of the period' : dateFormat.format(fromIso(expiresAt));
}

/**
 * Changes the subscription at Stripe and writes its answer. When the answer is lost, Stripe's state is read and written
 * instead, if Stripe answers that: the change may have been made. Returns the error of the lost answer, or null.
 */
async function changeOrRead(
  context: PaymentsContext,
  { id, lease }: { id: string; lease: Step['lease'] },
  change: () => Promise<Stripe.Response<Stripe.Subscription>>,
): Promise<DomainError | null> {
  try {
    await applySubscription(context, await change(), lease);
    return null;
  } catch (error) {
    if (!isAnswerLost(error)) throw error;
    await syncSubscription(context, id, { lease }).catch(() => {
      throw error;
    });
    return error;
  }
}

const ENDED = 'Your subscription has ended, and nothing more is charged.';

/**
 * What a cancellation changed, read from the state that Stripe answered. `owes`: an invoice for something else than the
 * renewal is unpaid, which stays due. Throws `lost`, or else `Conflict`, when it still renews.
 */
async function describeCancellation(
  context: PaymentsContext,
  account: Payer,
  { owes, lost }: { owes: boolean; lost: DomainError | null },
): Promise<ChangedSubscription> {
  const rest = owes ? 'then it ends. The payment that is due stays due.' : 'and nothing more is charged.';
  const change = await describeChange(context, account, (now) =>
    now.tier === 'free'
      ? ENDED
      : `Your subscription is cancelled. You keep Pro until ${dateOf(now)}, ${rest}`,
  );
  const { tier, cancelAtPeriodEnd } = change.subscription;
  if (tier === 'pro' && !cancelAtPeriodEnd)
    throw (
      lost ??
      new DomainError('Conflict', {
        code: 'not_cancelled',
        message: 'Your subscription could not be cancelled. Please try again.',
      })
    );
  return change;
}

/**
 * Cancels at the end of the paid period; a cancellation for an earlier date stays. After a failed renewal the paid period is
 * over, so then the subscription ends at once and the unpaid invoice is void. Throws `Conflict` without an active subscription.
 */
export async function cancelSubscription(
  context: PaymentsContext,
  { account, reason }: { account: Payer; reason: string | null },
): Promise<ChangedSubscription> {
  requireStripe(context);
  return withCurrent(context, account, async (row, step) => {
    const { stripe_subscription_id: id } = row;
    const comment = reason ?? '';
    if (isRenewalUnpaid(row)) {
      if (!(await endSubscription(context, step, { stripeSubscriptionId: id, comment }))) {
        await syncSubscription(context, id, { lease: step.lease });
        throw unknownAtStripe();
      }
      return describeChange(context, account, () => ENDED);
    }
    const lost = await changeOrRead(context, { id, lease: step.lease }, () =>
      updateCancellation(context, id, {
        ...cancellationFor(row),
        // An earlier reason stays when the same cancellation is repeated without one.
        ...(comment === '' && isCanceling(row) ? {} : { cancellation_details: { comment } }),
      }),
    );
    return describeCancellation(context, account, {
      owes: row.status === 'past_due' || row.status === 'unpaid',
      lost,
    });
  });
}

/** Undoes a cancellation, with the period or by a date, before it happens. Throws `Conflict` when it is not cancelling. */
export async function reactivateSubscription(
  context: PaymentsContext,
  { account }: { account: Payer },
): Promise<ChangedSubscription> {
  requireStripe(context);
  return withCurrent(context, account, async (current, step) => {
    // The event of a cancellation at Stripe may be late.
    const row = isCanceling(current) ? current : (await readCurrent(context, current, step)).row;
    if (!isCanceling(row))
      throw new DomainError('Conflict', {
        code: 'not_cancelling',
        message: 'Your subscription is not cancelled: there is nothing to reactivate.',
      });
    const lost = await changeOrRead(context, { id: row.stripe_subscription_id, lease: step.lease }, () =>
      clearCancellation(context, row),
    );
    const change = await describeChange(context, account, (now) =>
      now.tier === 'free' ? ENDED : `Your subscription is active again. It renews on ${dateOf(now)}.`,
    );
    if (change.subscription.cancelAtPeriodEnd)
      throw (
        lost ??
        new DomainError('Conflict', {
          code: 'not_reactivated',
          message: `Your subscription still ends on ${dateOf(change.subscription)}. Please try again.`,
        })
      );
    return change;
  });
}

/** Stripe's customer portal (card, past invoices). `returnTo`: a path of this site. Throws `Conflict` without a customer. */
export async function openPortal(
  context: PaymentsContext,
  { account, returnTo }: { account: Payer; returnTo: string },
): Promise<{ url: string }> {
  requireStripe(context);
  const customer = await findCustomer(context.db, { accountId: account.id });
  if (customer === null)
    throw new DomainError('Conflict', {
      code: 'no_customer',
      message: 'There are no payment details yet, because you have not bought anything here.',
    });
  return withStripe(context, async ({ client }) => {
    const session = await findAtStripe(() =>
      client.billingPortal.sessions.create({ customer, return_url: context.appUrl + returnTo }),
    );
    if (session === null) throw unknownAtStripe();
    return { url: session.url };
  });
}

/** The payment that waits for the member's confirmation (renewal or plan change); null when none does. */
export async function findConfirmation(
  context: PaymentsContext,
  { account }: { account: Payer },
): Promise<{ clientSecret: string; hostedInvoiceUrl: string; amountPence: number } | null> {
  if (context.stripe === null) return null;
  const { db, clock } = context;
  const row = await findActiveSubscription(db, { accountId: account.id, now: clock.now() });
  const id = row?.stripe_subscription_id ?? null;
  if (id === null) return null;
  const subscription = await withStripe(context, ({ client }) =>
    findAtStripe(() => client.subscriptions.retrieve(id, WITH_SECRET)),
  );
  const invoice = subscription?.latest_invoice ?? null;
  if (invoice === null || typeof invoice === 'string' || invoice.status !== 'open') return null;
  const clientSecret = invoice.confirmation_secret?.client_secret;
  const { hosted_invoice_url: hostedInvoiceUrl } = invoice;
  if (clientSecret === undefined || hostedInvoiceUrl == null) return null;
  return { clientSecret, hostedInvoiceUrl, amountPence: invoice.amount_remaining };
}
