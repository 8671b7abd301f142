import type { Kysely, Transaction } from 'kysely';
import type Stripe from 'stripe';
import { toIso } from '../clock';
import type { Schema } from '../database/schema';
import { addPaymentMails } from '../payments/add-payment-mails';
import { findAccountOfCustomer } from '../payments/customers.server';
import { idOf, readOurMetadata } from '../payments/our-objects';
import { requireStripe, type PaymentsContext } from '../payments/payments-context';
import { createCheckoutSync, createSync, differs, type Written } from '../payments/sync-with-stripe.server';
import { settleLedger } from './settle-ledger';
import {
  paymentTermsOf,
  readPayment,
  type PaymentReading,
  type StoredPurchase,
} from './stripe-payment.server';

async function findByStripeId(db: Kysely<Schema>, stripeId: string): Promise<StoredPurchase | null> {
  const row = await db
    .selectFrom('token_purchases')
    .selectAll()
    .where('stripe_payment_intent_id', '=', stripeId)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * The purchase of ours that created a payment at Stripe: named by its metadata, paid by the same account, and without
 * another payment. Null for foreign payments.
 */
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
  trx: Transaction<Schema>,
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
  const changed = differs(row, terms);
  await trx
    .updateTable('token_purchases')
    .set({ ...terms, synced_at: toIso(now), ...(changed ? { updated_at: toIso(now) } : {}) })
    .where('id', '=', row.id)
    .execute();
  const mails = await settleLedger(trx, { row, terms, reading, now });
  return { changed, mails: await addPaymentMails(trx, { accountId: row.user_id, mails, now }) };
}

/** Stripe keeps payments, so one that it does not have was removed with its test data. */
async function writeMissing(trx: Transaction<Schema>, row: StoredPurchase, now: number): Promise<Written> {
  if (row.status !== 'pending') return { changed: false, mails: [] };
  await trx
    .updateTable('token_purchases')
    .set({ status: 'abandoned', synced_at: toIso(now), updated_at: toIso(now) })
    .where('id', '=', row.id)
    .execute();
  return { changed: true, mails: [] };
}

/**
 * Syncs a payment of tokens with its refunds and disputes, and so the ledger (see `createSync`). Ignores foreign payments.
 * Throws `BadGateway`, `Unavailable`.
 */
export const syncPurchase = createSync({
  retrieve: ({ client }, id) => client.paymentIntents.retrieve(id),
  read: readPayment,
  objectOf: ({ intent }: PaymentReading) => intent,
  findRow: findByStripeId,
  findAttempt,
  write,
  writeMissing,
});

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
