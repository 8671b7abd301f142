import type { Selectable } from 'kysely';
import Stripe from 'stripe';
import { fromIso, toIso } from '../clock';
import type { Database } from '../database/schema';
import type { PaymentCustomersTable } from '../database/tables/payments/payments';
import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import { newId } from '../ids';
import { withCustomerLease, type CustomerLease } from './customer-lease.server';
import { isOurMode } from './our-objects';
import { requireStripe, type Payer, type PaymentsContext, type StripeAccess } from './payments-context';
import { withStripe } from './stripe-account.server';
import { callStripe, findKeyRefusal, isReplayedFault, stripeCodeOf } from './stripe-errors';

type CustomerRow = Selectable<PaymentCustomersTable>;

const PAGE = 100;

/** The current customer row of an account; null before its first purchase. */
async function findRow(db: Database, accountId: string): Promise<CustomerRow | null> {
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
  db: Database,
  { accountId }: { accountId: string },
): Promise<string | null> {
  return (await findRow(db, accountId))?.stripe_customer_id ?? null;
}

/** The account of a Stripe customer, also of one that was deleted; null for a foreign customer. */
export async function findAccountOfCustomer(db: Database, stripeCustomerId: string): Promise<string | null> {
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

/** The customers with this metadata that Stripe's search finds; none where Stripe offers no search. */
async function searchCustomers({ client }: StripeAccess, account: Payer): Promise<Stripe.Customer[]> {
  const query = `metadata['app']:'packwatch' AND metadata['user']:'${account.id}'`;
  try {
    return (await callStripe(() => client.customers.search({ query }))).data;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError || findKeyRefusal(error) !== null) return [];
    throw error;
  }
}

/**
 * The customer that Stripe has of an account whose row is missing, such as after a restored backup; null when there is none.
 * The list by address is complete at once, and the search, which is a minute late, finds a customer whose address changed
 * (docs.stripe.com/search, "Data freshness").
 */
async function findAtStripeByMetadata(
  context: PaymentsContext,
  access: StripeAccess,
  account: Payer,
): Promise<Stripe.Customer | null> {
  const { client, config } = access;
  const [listed, searched] = await Promise.all([
    callStripe(() => client.customers.list({ email: account.email, limit: PAGE })),
    searchCustomers(access, account),
  ]);
  const found = [...listed.data, ...searched].filter(
    ({ metadata, ...customer }) =>
      isOurMode(customer, config) && metadata.app === 'packwatch' && metadata.user === account.id,
  );
  // A customer that belongs to another of our accounts stays there.
  for (const customer of found) {
    const owner = await findAccountOfCustomer(context.db, customer.id);
    if (owner === null || owner === account.id) return customer;
  }
  return null;
}

/** Links an account to a customer at Stripe, as its current one, in place of a deleted row of that customer. */
export async function linkCustomer(
  { db, clock }: Pick<PaymentsContext, 'db' | 'clock'>,
  { accountId, stripeCustomerId }: { accountId: string; stripeCustomerId: string },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    if ((await findAccountOfCustomer(trx, stripeCustomerId)) !== null) {
      const current = await findRow(trx, accountId);
      if (current !== null && current.stripe_customer_id !== null) return;
      // The current row, which has no customer yet, holds the lease, so it takes the customer over.
      await trx
        .updateTable('payment_customers')
        .set({ stripe_customer_id: null })
        .where('stripe_customer_id', '=', stripeCustomerId)
        .where('deleted_at', 'is not', null)
        .execute();
    }
    const current = await findRow(trx, accountId);
    const stamp = toIso(clock.now());
    if (current?.stripe_customer_id === null) {
      await trx
        .updateTable('payment_customers')
        .set({ stripe_customer_id: stripeCustomerId })
        .where('id', '=', current.id)
        .execute();
      return;
    }
    await trx
      .insertInto('payment_customers')
      .values({
        id: newId(),
        user_id: accountId,
        stripe_customer_id: stripeCustomerId,
        // An account has one current customer. An earlier one keeps its subscriptions and payments; its row is older than
        // the current one, which holds the lease.
        deleted_at: current === null ? null : stamp,
        created_at: current === null ? stamp : toIso(fromIso(current.created_at) - 1),
      })
      .execute();
  });
}

/**
 * Creates the customer at Stripe, unless Stripe has one of the account. The idempotency key is made of the row's id, so a
 * request that is repeated, even after a crash, returns the same customer.
 */
async function createAtStripe(
  context: PaymentsContext,
  account: Payer,
  row: CustomerRow,
): Promise<Pick<CustomerStep, 'stripeCustomerId' | 'origin'>> {
  const access = requireStripe(context);
  const { client } = access;
  try {
    const found = await findAtStripeByMetadata(context, access, account);
    const customer =
      found ??
      (await callStripe(() =>
        client.customers.create(
          { email: account.email, metadata: { app: 'packwatch', user: account.id } },
          { idempotencyKey: `customer-${row.id}` },
        ),
      ));
    await linkCustomer(context, { accountId: account.id, stripeCustomerId: customer.id });
    return { stripeCustomerId: customer.id, origin: found === null ? 'created' : 'found' };
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

/** A payment step with the account's Stripe customer. */
export interface CustomerStep {
  stripeCustomerId: string;
  /**
   * known: by the database; created: just now, so it has bought nothing; found: at Stripe just now, so it can have
   * subscriptions and payments without rows.
   */
  origin: 'known' | 'created' | 'found';
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
    const customer =
      row.stripe_customer_id === null
        ? await createAtStripe(context, account, row)
        : { stripeCustomerId: row.stripe_customer_id, origin: 'known' as const };
    const { stripeCustomerId } = customer;
    try {
      return { result: await work({ ...customer, lease }) };
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
 * new one. All of it shares the time of one step. Throws `Unavailable` (payment switched off, or its turn did not come),
 * `BadGateway`.
 */
export async function withCustomer<T>(
  context: PaymentsContext,
  account: Payer,
  work: (step: CustomerStep) => Promise<T>,
): Promise<T> {
  return withStripe(context, async () => {
    const done = (await runStep(context, account, work)) ?? (await runStep(context, account, work));
    if (done !== null) return done.result;
    throw new DomainError('Unavailable', {
      code: 'payment_busy',
      message: 'Another payment on your account was being processed at the same time. Please try again.',
    });
  });
}
