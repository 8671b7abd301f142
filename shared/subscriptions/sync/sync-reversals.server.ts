import type Stripe from 'stripe';
import { toIso } from '../../clock';
import type { Transaction } from '../../database/schema';
import type { SubscriptionReversalsTable } from '../../database/tables/payments/subscriptions';
import { inTransaction } from '../../database/transaction';
import { requireLease, withCustomerLease } from '../../payments/customer-lease.server';
import { idOf } from '../../payments/our-objects';
import type { PaymentsContext, StripeAccess } from '../../payments/payments-context';
import { requireOurAccount } from '../../payments/stripe-account.server';
import { callStripe, findAtStripe } from '../../payments/stripe-errors';
import { differs, type SyncResult } from '../../payments/sync-with-stripe.server';
import { endSubscription } from '../end-subscription.server';
import type { StoredSubscription } from '../membership';

const PAGE = 100;
/** With these statuses no money was refunded (docs.stripe.com/refunds). */
const VOID_REFUNDS = new Set(['failed', 'canceled']);

/** One of our subscriptions with the invoice of one of its payments. */
interface PaidInvoice {
  row: StoredSubscription;
  invoiceId: string;
  paidPence: number;
}

type Reversal = Pick<SubscriptionReversalsTable, 'id' | 'kind' | 'status' | 'amount_pence' | 'created_at'>;

/** The invoice of a payment and its subscription; null when it does not belong to one of ours. */
async function findPaidInvoice(
  { db }: PaymentsContext,
  { client }: StripeAccess,
  intent: string,
): Promise<PaidInvoice | null> {
  const payments = await findAtStripe(() =>
    client.invoicePayments.list({ payment: { type: 'payment_intent', payment_intent: intent }, limit: PAGE }),
  );
  const [payment] = payments?.data ?? [];
  const invoiceId = idOf(payment?.invoice);
  if (payment === undefined || invoiceId === null) return null;
  const invoice = await findAtStripe(() => client.invoices.retrieve(invoiceId));
  const stripeId = idOf(invoice?.parent?.subscription_details?.subscription);
  if (stripeId === null) return null;
  const row = await db
    .selectFrom('subscriptions')
    .selectAll()
    .where('stripe_subscription_id', '=', stripeId)
    .executeTakeFirst();
  return row === undefined ? null : { row, invoiceId, paidPence: payment.amount_paid ?? 0 };
}

const reversalOf = (
  kind: Reversal['kind'],
  { id, status, amount, created }: Stripe.Refund | Stripe.Dispute,
): Reversal => ({
  id,
  kind,
  status: status ?? 'pending',
  amount_pence: amount,
  created_at: toIso(created * 1_000),
});

/** The refunds and disputes of a payment. */
async function listReversals({ client }: StripeAccess, intent: string): Promise<Reversal[]> {
  const about = { payment_intent: intent, limit: PAGE };
  const [refunds, disputes] = await Promise.all([
    callStripe(() => client.refunds.list(about)),
    callStripe(() => client.disputes.list(about)),
  ]);
  return [
    ...refunds.data.map((refund) => reversalOf('refund', refund)),
    ...disputes.data.map((dispute) => reversalOf('dispute', dispute)),
  ];
}

/** Stores the refunds and disputes. Those that never moved money only update existing rows. */
async function write(
  trx: Transaction,
  { row, invoiceId, paidPence }: PaidInvoice,
  { reversals, now }: { reversals: readonly Reversal[]; now: number },
): Promise<boolean> {
  let changed = false;
  for (const reversal of reversals) {
    const stored = await trx
      .selectFrom('subscription_reversals')
      .selectAll()
      .where('id', '=', reversal.id)
      .executeTakeFirst();
    if (stored === undefined && (VOID_REFUNDS.has(reversal.status) || reversal.status === 'prevented'))
      continue;
    if (stored !== undefined && !differs(stored, reversal)) continue;
    changed = true;
    const updated_at = toIso(now);
    await trx
      .insertInto('subscription_reversals')
      .values({
        ...reversal,
        subscription_id: row.id,
        invoice_id: invoiceId,
        paid_pence: paidPence,
        updated_at,
      })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...reversal, updated_at }))
      .execute();
  }
  return changed;
}

/** Whether Stripe may still charge a subscription, or it gives Pro. */
const hasEnded = ({ status }: StoredSubscription): boolean =>
  status === 'canceled' || status === 'incomplete_expired' || status === 'abandoned';

/**
 * Stores the refunds and disputes of a subscription's payment as Stripe has them, for the notices to the admins. A lost
 * dispute ends the subscription at once; refunds and won disputes change nothing. Ignores payments that do not belong to
 * our subscriptions. Throws `BadGateway`, `Unavailable`.
 */
export async function syncReversals(context: PaymentsContext, paymentIntent: string): Promise<SyncResult> {
  const access = await requireOurAccount(context);
  const found = await findPaidInvoice(context, access, paymentIntent);
  if (found === null) return 'ignored';
  const { id, user_id: accountId, stripe_subscription_id: stripeId } = found.row;
  const result = await withCustomerLease(context, accountId, async (lease): Promise<SyncResult> => {
    const reversals = await listReversals(access, paymentIntent);
    const { changed, row } = await inTransaction(context.db, async (trx) => {
      await requireLease(trx, lease);
      return {
        changed: await write(trx, found, { reversals, now: context.clock.now() }),
        row: await trx.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
      };
    });
    const isLost = reversals.some(({ kind, status }) => kind === 'dispute' && status === 'lost');
    if (!isLost || stripeId === null || hasEnded(row)) return changed ? 'changed' : 'unchanged';
    await endSubscription(
      context,
      { lease },
      { stripeSubscriptionId: stripeId, comment: 'A dispute of its payment was lost.', evenPaid: true },
    );
    return 'changed';
  });
  return result ?? 'ignored';
}
