import type { Kysely, Selectable } from 'kysely';
import Stripe from 'stripe';
import { toIso } from '../clock';
import type { Schema } from '../database/schema';
import type { PaymentCustomersTable } from '../database/tables/payments/payment-customers';
import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import { newId } from '../ids';
import { withCustomerLease, type CustomerLease } from './customer-lease.server';
import { requireStripe, type Payer, type PaymentsContext } from './payments-context';
import { callStripe, isReplayedFault, stripeCodeOf } from './stripe-errors';

type CustomerRow = Selectable<PaymentCustomersTable>;

/** The current customer row of an account; null before its first purchase. */
async function findRow(db: Kysely<Schema>, accountId: string): Promise<CustomerRow | null> {
  const row = await db
    .selectFrom('payment_customers')
    .selectAll()
    .where('user_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

/** The Stripe customer of an account; null when it has none. */
export async function findCustomer(
  db: Kysely<Schema>,
  { accountId }: { accountId: string },
): Promise<string | null> {
  return (await findRow(db, accountId))?.stripe_customer_id ?? null;
}

/** The account of a Stripe customer, also of one that was deleted; null for a foreign customer. */
export async function findAccountOfCustomer(
  db: Kysely<Schema>,
  stripeCustomerId: string,
): Promise<string | null> {
  const row = await db
    .selectFrom('payment_customers')
    .select('user_id')
    .where('stripe_customer_id', '=', stripeCustomerId)
    .executeTakeFirst();
  return row?.user_id ?? null;
}

/** Adds the row of an account's customer, unless a parallel request has added it. */
async function addRow({ db, clock }: PaymentsContext, account: Payer): Promise<void> {
  await inTransaction(db, async (trx) => {
    if ((await findRow(trx, account.id)) !== null) return;
    await trx
      .insertInto('payment_customers')
      .values({ id: newId(), user_id: account.id, created_at: toIso(clock.now()) })
      .execute();
  });
}

/**
 * Creates the customer at Stripe. The idempotency key is made of the row's id, so a request that is repeated, even
 * after a crash, returns the same customer.
 */
async function createAtStripe(context: PaymentsContext, account: Payer, row: CustomerRow): Promise<string> {
  const { client } = requireStripe(context);
  try {
    const customer = await callStripe(() =>
      client.customers.create(
        { email: account.email, metadata: { app: 'packwatch', user: account.id } },
        { idempotencyKey: `customer-${row.id}` },
      ),
    );
    await inTransaction(context.db, (trx) =>
      trx
        .updateTable('payment_customers')
        .set({ stripe_customer_id: customer.id })
        .where('id', '=', row.id)
        .execute(),
    );
    return customer.id;
  } catch (error) {
    // The next row has another key; a customer that was created despite the fault stays unused.
    if (isReplayedFault(error))
      await inTransaction(context.db, (trx) =>
        trx
          .updateTable('payment_customers')
          .set({ deleted_at: toIso(context.clock.now()) })
          .where('id', '=', row.id)
          .execute(),
      );
    throw error;
  }
}

/** Whether Stripe does not have the customer of a request any more. */
function isCustomerGone(error: unknown): boolean {
  return (
    stripeCodeOf(error) === 'resource_missing' &&
    error instanceof Stripe.errors.StripeInvalidRequestError &&
    error.param === 'customer'
  );
}

/** Records that a customer was deleted at Stripe; the account's next purchase creates another. False: it was known. */
export async function markCustomerDeleted(
  { db, clock }: Pick<PaymentsContext, 'db' | 'clock'>,
  stripeCustomerId: string,
): Promise<boolean> {
  const { numUpdatedRows } = await inTransaction(db, (trx) =>
    trx
      .updateTable('payment_customers')
      .set({ deleted_at: toIso(clock.now()) })
      .where('stripe_customer_id', '=', stripeCustomerId)
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow(),
  );
  return numUpdatedRows > 0n;
}

interface CustomerStep {
  stripeCustomerId: string;
  lease: CustomerLease;
}

/** Null: the customer turned out to be deleted at Stripe. */
async function runStep<T>(
  context: PaymentsContext,
  account: Payer,
  work: (step: CustomerStep) => Promise<T>,
): Promise<{ result: T } | null> {
  await addRow(context, account);
  return withCustomerLease(context, account.id, async (lease) => {
    const row = await findRow(context.db, account.id);
    if (row === null) return null;
    const stripeCustomerId = row.stripe_customer_id ?? (await createAtStripe(context, account, row));
    try {
      return { result: await work({ stripeCustomerId, lease }) };
    } catch (error) {
      if (!isCustomerGone(error)) throw error;
      await markCustomerDeleted(context, stripeCustomerId);
      return null;
    }
  });
}

/**
 * Runs a payment step of an account while no other runs (see `withCustomerLease`), with the account's Stripe customer,
 * which is created at the first step. When the customer turns out to be deleted at Stripe, `work` runs once more with a
 * new one. Throws `Unavailable` (payment switched off, or its turn did not come), `BadGateway`.
 */
export async function withCustomer<T>(
  context: PaymentsContext,
  account: Payer,
  work: (step: CustomerStep) => Promise<T>,
): Promise<T> {
  requireStripe(context);
  const done = (await runStep(context, account, work)) ?? (await runStep(context, account, work));
  if (done !== null) return done.result;
  throw new DomainError('Unavailable', {
    code: 'payment_busy',
    message: 'Another payment step of your account ran at the same time. Please try again.',
  });
}
