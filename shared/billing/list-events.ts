import type { Database } from '../database/schema';
import type { PaymentEvent } from './payment-events';

interface EventQuery {
  /** Only the events that failed. */
  failed?: boolean;
  /** Only the events of these Stripe customers. */
  stripeCustomerIds?: readonly string[];
  limit: number;
}

/** Stripe's events as they were stored, newest first. */
export async function listEvents(
  db: Database,
  { failed = false, stripeCustomerIds, limit }: EventQuery,
): Promise<PaymentEvent[]> {
  let query = db.selectFrom('payment_events').selectAll();
  if (failed) query = query.where('status', 'in', ['dead', 'expired']);
  if (stripeCustomerIds !== undefined)
    query = query.where('stripe_customer_id', 'in', [...stripeCustomerIds]);
  return query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
}
