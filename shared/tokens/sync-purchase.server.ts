import type Stripe from 'stripe';
import { toIso } from '../clock';
import type { Database, Transaction } from '../database/schema';
import type { CustomerLease } from '../payments/customer-lease.server';
import { findAccountOfCustomer } from '../payments/customers.server';
import { idOf, readOurMetadata } from '../payments/our-objects';
import { requireStripe, type PaymentsContext } from '../payments/payments-context';
import { createCheckoutSync, createSync, differs, type Written } from '../payments/sync-with-stripe.server';
import { settleLedger } from './settle-ledger';
import {
  NO_DISPUTE,
  isSubmitted,
  paymentTermsOf,
  readPayment,
  type PaymentReading,
  type StoredPurchase,
} from './stripe-payment.server';

async function findByStripeId(db: Database, stripeId: string): Promise<StoredPurchase | null> {
  const row = await db
    .selectFrom('token_purchases')
    .selectAll()
    .where('stripe_payment_intent_id', '=', stripeId)
    .executeTakeFirst();
  return row ?? null;
}

/** Our purchase behind a payment at Stripe: named by its metadata, of the same account, without another payment; or null. */
async function findAttempt(
  { db, stripe }: PaymentsContext,
  intent: Stripe.PaymentIntent,
): Promise<StoredPurchase | null> {
  const ours = readOurMetadata(intent, requireStripe({ stripe }).config);
  const customer = idOf(intent.customer);
  if (ours?.kind !== 'tokens' || customer === null) return null;
  if ((await findAccountOfCustomer(db, customer)) !== ours.user) return null;
  const row = await db
    .selectFrom('token_purchases')
    .selectAll()
    .where('id', '=', ours.row)
    .where('user_id', '=', ours.user)
    .where('stripe_payment_intent_id', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

async function write(
  trx: Transaction,
  row: StoredPurchase,
  reading: PaymentReading,
  now: number,
): Promise<Written> {
  const { intent } = reading;
  if (intent.amount !== row.amount_pence || intent.currency !== 'gbp')
    throw new Error(
      `payment ${intent.id} is over ${intent.amount} ${intent.currency}, but purchase ${row.id} over ${row.amount_pence} gbp`,
    );
  const terms = paymentTermsOf(row, reading);
  const columns = {
    ...terms,
    submitted_at: row.submitted_at ?? (isSubmitted(intent) ? toIso(now) : null),
    missing_since: null,
  };
  const changed = differs(row, columns);
  await trx
    .updateTable('token_purchases')
    .set({ ...columns, synced_at: toIso(now), ...(changed ? { updated_at: toIso(now) } : {}) })
    .where('id', '=', row.id)
    .execute();
  return { changed, mails: await settleLedger(trx, { row, terms, reading, now }) };
}

async function noteMissing(trx: Transaction, row: StoredPurchase, now: number): Promise<void> {
  const stamp = toIso(now);
  await trx
    .updateTable('token_purchases')
    .set({ missing_since: row.missing_since ?? stamp, synced_at: stamp })
    .where('id', '=', row.id)
    .execute();
}

/** Writes a payment of tokens with its refunds and disputes, and so the ledger (see `createSync`). */
const purchases = createSync({
  retrieve: ({ client }, id) => client.paymentIntents.retrieve(id),
  read: readPayment,
  objectOf: ({ intent }: PaymentReading) => intent,
  findRow: findByStripeId,
  findAttempt,
  write,
  noteMissing,
});
export const syncPurchase = purchases.sync;

/** Writes a payment that Stripe has just canceled. */
export async function applyCanceled(
  context: PaymentsContext,
  intent: Stripe.PaymentIntent,
  lease: CustomerLease,
): Promise<void> {
  const reading = { intent, refundedPence: 0, ...NO_DISPUTE };
  await purchases.apply(context, { stripeId: intent.id, reading }, lease);
}

/** The same for the purchase of a hosted Checkout session. A purchase whose session expired is abandoned. */
export const syncPurchaseCheckout = createCheckoutSync({
  kind: 'tokens',
  objectIdOf: (session) => idOf(session.payment_intent),
  sync: syncPurchase,
  async writeNote(trx, sessionId, note) {
    const { numUpdatedRows } = await trx
      .updateTable('token_purchases')
      .set(note)
      .where('stripe_checkout_session_id', '=', sessionId)
      .where('stripe_payment_intent_id', 'is', null)
      .where('status', '=', 'pending')
      .executeTakeFirstOrThrow();
    return numUpdatedRows;
  },
});
