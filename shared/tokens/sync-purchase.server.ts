import type { Kysely, Transaction } from 'kysely';
import type Stripe from 'stripe';
import { toIso } from '../clock';
import type { Schema } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { addPaymentMails } from '../payments/add-payment-mails';
import { requireLease, withCustomerLease, type CustomerLease } from '../payments/customer-lease.server';
import { findAccountOfCustomer } from '../payments/customers.server';
import { idOf, readOurMetadata } from '../payments/our-objects';
import { requireStripe, type PaymentsContext } from '../payments/payments-context';
import { findAtStripe } from '../payments/stripe-errors';
import type { SyncResult } from '../payments/sync-result';
import type { DueDelivery } from '../queues/catalogue';
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

interface Written {
  changed: boolean;
  mails: DueDelivery[];
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
  const stored = new Map<string, unknown>(Object.entries(row));
  const changed = Object.entries(terms).some(([column, value]) => stored.get(column) !== value);
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

async function readAndWrite(
  context: PaymentsContext,
  stripePaymentIntentId: string,
  lease: CustomerLease,
): Promise<SyncResult> {
  const { db, clock, mail } = context;
  const reading = await readPayment(requireStripe(context), stripePaymentIntentId);
  const written = await inTransaction(db, async (trx) => {
    await requireLease(trx, lease);
    const row =
      (await findByStripeId(trx, stripePaymentIntentId)) ??
      (reading === null ? null : await findAttempt({ ...context, db: trx }, reading.intent));
    if (row === null || row.user_id !== lease.accountId) return null;
    return reading === null ? writeMissing(trx, row, clock.now()) : write(trx, row, reading, clock.now());
  });
  if (written === null) return 'ignored';
  mail.notifyQueue(written.mails);
  return written.changed ? 'changed' : 'unchanged';
}

/** The account that a payment belongs to; null for foreign ones. */
async function findAccount(context: PaymentsContext, stripePaymentIntentId: string): Promise<string | null> {
  const row = await findByStripeId(context.db, stripePaymentIntentId);
  if (row !== null) return row.user_id;
  const { client } = requireStripe(context);
  const intent = await findAtStripe(() => client.paymentIntents.retrieve(stripePaymentIntentId));
  return intent === null ? null : ((await findAttempt(context, intent))?.user_id ?? null);
}

/**
 * Reads a payment of tokens with its refunds and disputes afresh from Stripe, and writes purchase, ledger and the mails
 * that report the change in one transaction. `lease`: the lease that the caller holds. Ignores foreign payments. Throws
 * `BadGateway`, `Unavailable`.
 */
export async function syncPurchase(
  context: PaymentsContext,
  stripePaymentIntentId: string,
  lease?: CustomerLease,
): Promise<SyncResult> {
  if (lease !== undefined) return readAndWrite(context, stripePaymentIntentId, lease);
  const accountId = await findAccount(context, stripePaymentIntentId);
  if (accountId === null) return 'ignored';
  const result = await withCustomerLease(context, accountId, (taken) =>
    readAndWrite(context, stripePaymentIntentId, taken),
  );
  return result ?? 'ignored';
}

/** Notes that a Checkout session without a payment was read, and gives up the purchase of one that expired. */
async function noteSession(
  { db, clock }: PaymentsContext,
  session: Stripe.Checkout.Session,
): Promise<SyncResult> {
  const now = toIso(clock.now());
  const isOver = session.status === 'expired';
  const { numUpdatedRows } = await inTransaction(db, (trx) =>
    trx
      .updateTable('token_purchases')
      .set({ synced_at: now, ...(isOver ? { status: 'abandoned' as const, updated_at: now } : {}) })
      .where('stripe_checkout_session_id', '=', session.id)
      .where('stripe_payment_intent_id', 'is', null)
      .where('status', '=', 'pending')
      .executeTakeFirstOrThrow(),
  );
  return isOver && numUpdatedRows > 0n ? 'changed' : 'unchanged';
}

/** The same for the purchase of a hosted Checkout session. A purchase whose session expired is abandoned. */
export async function syncPurchaseCheckout(
  context: PaymentsContext,
  stripeSessionId: string,
  lease?: CustomerLease,
): Promise<SyncResult> {
  const { client, config } = requireStripe(context);
  const session = await findAtStripe(() => client.checkout.sessions.retrieve(stripeSessionId));
  if (session === null || readOurMetadata(session, config)?.kind !== 'tokens') return 'ignored';
  const intent = idOf(session.payment_intent);
  return intent === null ? noteSession(context, session) : syncPurchase(context, intent, lease);
}
