/** Refunds and disputes of subscription payments as Stripe last showed them (by the sync). */
export interface SubscriptionReversalsTable {
  /** Stripe's id of the refund or dispute. */
  id: string;
  subscription_id: string;
  invoice_id: string;
  kind: 'refund' | 'dispute';
  /** The status that Stripe gives. */
  status: string;
  amount_pence: number;
  /** What the invoice's payment came to. */
  paid_pence: number;
  /** When the admins were notified of it, which happens once. */
  notified_at: string | null;
  created_at: string;
  updated_at: string;
}
