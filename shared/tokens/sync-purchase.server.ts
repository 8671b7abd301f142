import type Stripe from 'stripe';
import { toIso } from '../clock';
import type { Database, Transaction } from '../database/schema';
import type { CustomerLease } from '../payments/customer-lease.server';
import { findAccountOfCustomer } from '../payments/customers.server';
import { idOf, readOurMetadata } from '../payments/our-objects';
import { requireStripe, type PaymentsContext } from '../payments/payments-context';
import { createCheckoutSync, createSync, differs, type Written } from '../payments/sync-with-stripe.server';
import {
  NO_DISPUTE,
  findPayment,
  isSubmitted,
  paymentTermsOf,
  readPayment,
  type PaymentReading,
  type StoredPurchase,
  type PaymentTerms,
} from './stripe-payment.server';
import type { PaymentMail } from '../mail/payment-mails';
import { appendEntry } from './token-ledger';

interface LedgerRow {
  kind: string;
  tokens: number;
  source_id: string | null;
}

const sumOf = (rows: readonly LedgerRow[], kinds: readonly string[]): number =>
  rows.filter(({ kind }) => kinds.includes(kind)).reduce((sum, { tokens }) => sum + tokens, 0);

/** Names the cause of a ledger row. The same cause can return, such as a refund that failed and was made again. */
function sourceOf(rows: readonly LedgerRow[], cause: string): string {
  const earlier = rows.filter(({ source_id }) => source_id === cause || source_id?.startsWith(`${cause}#`));
  return earlier.length === 0 ? cause : `${cause}#${earlier.length + 1}`;
}

/** The tokens that refunds or disputes of `pence` take back in all, rounded up; never more than were bought. */
function tokensFor(
  { token_count, amount_pence }: Pick<StoredPurchase, 'token_count' | 'amount_pence'>,
  pence: number,
): number {
  return Math.min(Math.ceil((token_count * pence) / amount_pence), token_count);
}

/**
 * Appends the missing ledger rows of a paid purchase: its tokens, what refunds and disputes take back, and what a won
 * dispute returns. Compares the ledger with Stripe's state, so a second run appends nothing. Returns the mails that report
 * the rows.
 */
async function settleLedger(
  trx: Transaction,
  {
    row,
    terms,
    reading,
    now,
  }: { row: StoredPurchase; terms: PaymentTerms; reading: PaymentReading; now: number },
): Promise<PaymentMail[]> {
  const mails: PaymentMail[] = [];
  if (terms.status !== 'completed') return mails;
  const { id: purchaseId, user_id: accountId, package_name: packageName } = row;
  const rows: LedgerRow[] = await trx
    .selectFrom('token_ledger')
    .select(['kind', 'tokens', 'source_id'])
    .where('purchase_id', '=', purchaseId)
    .execute();
  const append = (
    kind: 'purchase' | 'refund' | 'dispute' | 'dispute_won',
    tokens: number,
    cause: string,
  ): Promise<number> => {
    const entry = { kind, tokens, purchase_id: purchaseId, source_id: sourceOf(rows, cause) };
    return appendEntry(trx, { accountId, entry, now });
  };

  if (sumOf(rows, ['purchase']) === 0) {
    await append('purchase', row.token_count, purchaseId);
    mails.push({
      template: 'tokens_bought',
      packageName,
      tokenCount: row.token_count,
      amountPence: row.amount_pence,
      paidAt: terms.completed_at ?? row.created_at,
    });
  }

  const refunded = tokensFor(row, terms.refunded_pence);
  const refund = -refunded - sumOf(rows, ['refund']);
  if (refund !== 0) {
    const balance = await append('refund', refund, `${purchaseId}:refunded:${terms.refunded_pence}`);
    if (refund < 0)
      mails.push({
        template: 'tokens_taken_back',
        reason: 'refund',
        packageName,
        amountPence: Math.max(terms.refunded_pence - row.refunded_pence, 0),
        tokens: -refund,
        balance,
      });
  }

  const taken = Math.min(tokensFor(row, reading.disputedPence), row.token_count - refunded);
  const disputed = -taken - sumOf(rows, ['dispute', 'dispute_won']);
  if (disputed === 0) return mails;
  const disputeId = reading.dispute?.id ?? `${purchaseId}:dispute`;
  if (disputed > 0) {
    await append('dispute_won', disputed, `${disputeId}:won`);
    return mails;
  }
  const balance = await append('dispute', disputed, disputeId);
  mails.push({
    template: 'tokens_taken_back',
    reason: 'dispute',
    packageName,
    amountPence: reading.dispute?.amountPence ?? row.amount_pence,
    tokens: -disputed,
    balance,
  });
  return mails;
}

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
  retrieve: findPayment,
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
