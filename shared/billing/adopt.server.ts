import { JOB_LIFETIME_MS, withDeadline } from '../payments/step-deadline.server';
import type { LostObject } from '../payments/adoption.server';
import { requireOurAccount } from '../payments/stripe-account.server';
import type { PaymentsContext } from '../payments/payments-context';
import { callStripe } from '../payments/stripe-errors';
import { adoptSubscription, describeLostSubscription } from '../subscriptions/adopt-subscription.server';
import { adoptPurchase, describeLostPurchase } from '../tokens/adopt-purchase.server';

const PAGE = 100;

/** An object at Stripe without its row, and how its row is made again. */
export interface Adoptable extends LostObject {
  /** Makes the row. Nothing happens for one with an obstacle. Throws `BadGateway`, `Unavailable`. */
  adopt(): Promise<void>;
}

/**
 * Every subscription and payment at Stripe that this site created, that was paid, and whose row is missing, such as after a
 * restored backup; the oldest first. Reads all subscriptions and payments of the account at Stripe. Throws `Unavailable`,
 * `BadGateway`.
 */
export async function listAdoptable(context: PaymentsContext): Promise<Adoptable[]> {
  const { client } = await requireOurAccount(context);
  const found: Adoptable[] = [];
  await callStripe(() =>
    client.subscriptions.list({ status: 'all', limit: PAGE }).autoPagingEach(async (subscription) => {
      const lost = await describeLostSubscription(context, subscription);
      if (lost !== null) found.push({ ...lost, adopt: () => inTime(() => adoptSubscription(context, lost)) });
    }),
  );
  await callStripe(() =>
    client.paymentIntents.list({ limit: PAGE }).autoPagingEach(async (intent) => {
      const lost = await describeLostPurchase(context, intent);
      if (lost !== null) found.push({ ...lost, adopt: () => inTime(() => adoptPurchase(context, lost)) });
    }),
  );
  return found.sort((a, b) => a.created - b.created);
}

const inTime = (work: () => Promise<void>): Promise<void> => withDeadline(JOB_LIFETIME_MS, work);
