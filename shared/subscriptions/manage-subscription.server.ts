import { fromIso } from '../clock';
import { DomainError } from '../errors';
import { findCustomer } from '../payments/customers.server';
import { requireStripe, type Payer, type PaymentsContext } from '../payments/payments-context';
import { withStripe } from '../payments/stripe-account.server';
import { callStripe, findAtStripe, unknownAtStripe } from '../payments/stripe-errors';
import {
  describeChange,
  withCurrent,
  WITH_SECRET,
  type ChangedSubscription,
} from './current-subscription.server';
import { endSubscription } from './end-subscription.server';
import { findActiveSubscription } from './membership';
import type { SubscriptionRecord } from './read-subscription';
import { applySubscription, syncSubscription } from './sync/sync-subscription.server';

const dateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'Europe/London' });

function dateOf({ expiresAt }: SubscriptionRecord): string {
  return expiresAt === null ? 'the end of the period' : dateFormat.format(fromIso(expiresAt));
}

/**
 * Cancels at the end of the period. After a failed renewal the paid period is over, so then the subscription ends at once
 * and the unpaid invoice is void. Throws `Conflict` without an active subscription.
 */
export async function cancelSubscription(
  context: PaymentsContext,
  { account, reason }: { account: Payer; reason: string | null },
): Promise<ChangedSubscription> {
  const { client } = requireStripe(context);
  return withCurrent(context, account, async ({ stripe_subscription_id: id, status }, step) => {
    const comment = reason ?? '';
    if (status === 'past_due') {
      if (!(await endSubscription(context, step, { stripeSubscriptionId: id, comment }))) {
        await syncSubscription(context, id, { lease: step.lease });
        throw unknownAtStripe();
      }
      return describeChange(
        context,
        account,
        () => 'Your subscription has ended, and nothing more is charged.',
      );
    }
    const canceling = await callStripe(() =>
      client.subscriptions.update(id, {
        cancel_at_period_end: true,
        cancellation_details: { comment },
        ...WITH_SECRET,
      }),
    );
    await applySubscription(context, canceling, step.lease);
    return describeChange(
      context,
      account,
      (now) =>
        `Your subscription is cancelled. You keep Pro until ${dateOf(now)}, and nothing more is charged.`,
    );
  });
}

/** Undoes a cancellation before the period ends. Throws `Conflict` when it is not cancelling. */
export async function reactivateSubscription(
  context: PaymentsContext,
  { account }: { account: Payer },
): Promise<ChangedSubscription> {
  const { client } = requireStripe(context);
  return withCurrent(context, account, async ({ stripe_subscription_id: id, ...row }, step) => {
    if (row.cancel_at_period_end === 0)
      throw new DomainError('Conflict', {
        code: 'not_cancelling',
        message: 'Your subscription is not cancelled: there is nothing to reactivate.',
      });
    const reactivated = await callStripe(() =>
      client.subscriptions.update(id, {
        cancel_at_period_end: false,
        cancellation_details: { comment: '' },
        ...WITH_SECRET,
      }),
    );
    await applySubscription(context, reactivated, step.lease);
    return describeChange(
      context,
      account,
      (now) => `Your subscription is active again. It renews on ${dateOf(now)}.`,
    );
  });
}

/** Stripe's customer portal (card, past invoices). `returnTo`: a path of ours. Throws `Conflict` without a customer. */
export async function openPortal(
  context: PaymentsContext,
  { account, returnTo }: { account: Payer; returnTo: string },
): Promise<{ url: string }> {
  requireStripe(context);
  const customer = await findCustomer(context.db, { accountId: account.id });
  if (customer === null)
    throw new DomainError('Conflict', {
      code: 'no_customer',
      message: 'There are no payment details yet: you have bought nothing here so far.',
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
