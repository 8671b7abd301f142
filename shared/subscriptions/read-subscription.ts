import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema';
import { findActiveSubscription, isRenewalUnpaid, membershipOf, type Membership } from './membership';

/** A member's subscription; the first fields are the API's record. */
export interface SubscriptionRecord extends Membership {
  currentPackageId: string | null;
}

/** A member's subscription as the pages show it. */
export interface SubscriptionView extends SubscriptionRecord {
  /** The name of the current plan; null for free. */
  packageName: string | null;
  /** What the current plan renews for, in pence; null for free. */
  renewalPence: number | null;
  /** When the current period ends, and the subscription renews if nothing cancels it before; null for free. */
  periodEnd: string | null;
  /** none: free; past_due: a payment failed. */
  state: 'none' | 'active' | 'canceling' | 'past_due';
  /** With past_due: the renewal is not paid and the grace runs. Otherwise the current period is paid. */
  isRenewalUnpaid: boolean;
  /** The latest invoice waits for the member's confirmation. */
  needsConfirmation: boolean;
}

const FREE_VIEW = {
  currentPackageId: null,
  packageName: null,
  renewalPence: null,
  periodEnd: null,
  state: 'none',
  isRenewalUnpaid: false,
  needsConfirmation: false,
} as const;

/** The subscription of an account at `now` (epoch ms). */
export async function readSubscription(
  db: Kysely<Schema>,
  { accountId, now }: { accountId: string; now: number },
): Promise<SubscriptionView> {
  const subscription = await findActiveSubscription(db, { accountId, now });
  const membership = membershipOf(subscription, now);
  if (subscription === null) return { ...membership, ...FREE_VIEW };
  const plan = await db
    .selectFrom('subscription_packages')
    .select(['name', 'price_pence'])
    .where('id', '=', subscription.package_id)
    .executeTakeFirstOrThrow();
  const { status } = subscription;
  const renewalUnpaid = isRenewalUnpaid(subscription);
  let state: SubscriptionView['state'] = 'active';
  // Pro that ends anyway can be reactivated, even if something beside the renewal is unpaid.
  if (membership.cancelAtPeriodEnd && !renewalUnpaid) state = 'canceling';
  else if (status === 'past_due' || status === 'unpaid') state = 'past_due';
  return {
    ...membership,
    currentPackageId: subscription.package_id,
    packageName: plan.name,
    renewalPence: plan.price_pence,
    periodEnd: subscription.current_period_end,
    state,
    isRenewalUnpaid: renewalUnpaid,
    needsConfirmation: subscription.needs_confirmation === 1,
  };
}
