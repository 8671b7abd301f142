import { fromIso, HOUR } from '../clock';
import type { Database } from '../database/schema';
import {
  findActiveSubscription,
  isRenewalUnpaid,
  membershipOf,
  type Membership,
  type StoredSubscription,
} from './membership';

/** Every amount is read daily and after each event of its subscription; an older one may be wrong. */
const AMOUNT_VALID_MS = 36 * HOUR;

/** A member's subscription; the first fields are the API's record. */
export interface SubscriptionRecord extends Membership {
  currentPackageId: string | null;
}

/** A member's subscription as the pages show it. */
export interface SubscriptionView extends SubscriptionRecord {
  /** The name of the current plan; null for free. */
  packageName: string | null;
  /** What the next renewal charges, as Stripe says, in pence; null for free and when it is not known for certain. */
  renewalPence: number | null;
  /** The name of the plan that a schedule sets from the next renewal on; null when the plan stays. */
  nextPackageName: string | null;
  /** The current period is a trial, which nothing was charged for. */
  isTrial: boolean;
  /** Stripe collects no payments now. `until`: null without an end. Null when payments run, or run again at the renewal. */
  pause: { until: string | null } | null;
  /** When the current period ends, and the subscription renews if nothing cancels it before; null for free. */
  periodEnd: string | null;
  /** none: free; paused: Stripe keeps a subscription that gives no Pro; past_due: a payment failed. */
  state: 'none' | 'paused' | 'active' | 'canceling' | 'past_due';
  /** With past_due: the renewal is not paid and the grace runs. Otherwise the current period is paid. */
  isRenewalUnpaid: boolean;
  /** The latest invoice waits for the member's confirmation. */
  needsConfirmation: boolean;
}

const FREE_VIEW = {
  currentPackageId: null,
  packageName: null,
  renewalPence: null,
  nextPackageName: null,
  isTrial: false,
  pause: null,
  periodEnd: null,
  state: 'none',
  isRenewalUnpaid: false,
  needsConfirmation: false,
} as const;

const nameOfPackage = async (db: Database, id: string): Promise<string> => {
  const query = db.selectFrom('subscription_packages').select('name').where('id', '=', id);
  return (await query.executeTakeFirstOrThrow()).name;
};

async function hasPausedSubscription(db: Database, accountId: string): Promise<boolean> {
  const paused = await db
    .selectFrom('subscriptions')
    .select('id')
    .where('user_id', '=', accountId)
    .where('status', '=', 'paused')
    .executeTakeFirst();
  return paused !== undefined;
}

/** The amount of the next renewal, while it is for this period and was read lately. */
function knownRenewalPence(row: StoredSubscription, now: number): number | null {
  const { renewal_pence: pence, renewal_at: at, current_period_end: end, renewal_read_at: readAt } = row;
  const isCurrent = at === end && readAt !== null && now - fromIso(readAt) <= AMOUNT_VALID_MS;
  return isCurrent && row.missing_since === null ? pence : null;
}

/** The pause of payments that the next renewal falls into. */
function pauseOf(row: StoredSubscription): SubscriptionView['pause'] {
  const { payments_paused: paused, payments_resume_at: until, current_period_end: end } = row;
  if (paused === 0 || (until !== null && end !== null && until <= end)) return null;
  return { until };
}

/** The subscription of an account at `now` (epoch ms). */
export async function readSubscription(
  db: Database,
  { accountId, now }: { accountId: string; now: number },
): Promise<SubscriptionView> {
  const subscription = await findActiveSubscription(db, { accountId, now });
  const membership = membershipOf(subscription, now);
  if (subscription === null) {
    const state = (await hasPausedSubscription(db, accountId)) ? 'paused' : 'none';
    return { ...membership, ...FREE_VIEW, state };
  }
  const { status, renewal_package_id: nextPackage } = subscription;
  const renewalUnpaid = isRenewalUnpaid(subscription);
  let state: SubscriptionView['state'] = 'active';
  // Pro that ends anyway can be reactivated, even if something beside the renewal is unpaid.
  if (membership.cancelAtPeriodEnd && !renewalUnpaid) state = 'canceling';
  else if (status === 'past_due' || status === 'unpaid') state = 'past_due';
  return {
    ...membership,
    currentPackageId: subscription.package_id,
    packageName: await nameOfPackage(db, subscription.package_id),
    renewalPence: knownRenewalPence(subscription, now),
    nextPackageName: nextPackage === null ? null : await nameOfPackage(db, nextPackage),
    isTrial: status === 'trialing',
    pause: pauseOf(subscription),
    periodEnd: subscription.current_period_end,
    state,
    isRenewalUnpaid: renewalUnpaid,
    needsConfirmation: subscription.needs_confirmation === 1,
  };
}
