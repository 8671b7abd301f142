import type { Generated } from 'kysely';

/** The invoices of subscriptions as Stripe last showed them. A change of a row decides which mail is sent. */
export interface SubscriptionInvoicesTable {
  /** Stripe's id. */
  id: string;
  subscription_id: string;
  status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void';
  billing_reason: string | null;
  amount_due_pence: number;
  amount_paid_pence: number;
  attempt_count: number;
  needs_confirmation: Generated<0 | 1>;
  paid_at: string | null;
  created_at: string;
  updated_at: string;
}
