import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema';
import type { Membership } from './membership';

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
  /** none: free; past_due: a renewal failed and the grace runs. */
  state: 'none' | 'active' | 'canceling' | 'past_due';
  /** The latest invoice waits for the member's confirmation. */
  needsConfirmation: boolean;
}

/** The subscription of an account at `now` (epoch ms). */
export async function readSubscription(
  _db: Kysely<Schema>,
  _query: { accountId: string; now: number },
): Promise<SubscriptionView> {
  throw new Error('not built yet');
}
