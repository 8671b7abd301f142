import type { Selectable } from 'kysely';
import Stripe from 'stripe';
import { toIso } from '../clock';
import type { TokenPackagesTable } from '../database/tables/payments/tokens';
import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import { newId } from '../ids';
import { withCustomer, type CustomerStep } from '../payments/customers.server';
import { LEFT_PARAMETER } from '../payments/left-parameter';
import { ourMetadata } from '../payments/our-objects';
import { requireStripe, type Payer, type PaymentsContext } from '../payments/payments-context';
import { callStripe, isReplayedFault, stripeCodeOf } from '../payments/stripe-errors';
import { findCheckoutSession, type SyncResult } from '../payments/sync-with-stripe.server';
import { adoptPurchasesOf } from './adopt-purchase.server';
import { findPayment, isUnfinished, type StoredPurchase } from './stripe-payment.server';
import { applyCanceled, syncPurchase, syncPurchaseCheckout } from './sync-purchase.server';

export interface StartedPurchase {
  purchaseId: string;
  clientSecret: string;
  amountPence: number;
}

interface Step extends CustomerStep {
  context: PaymentsContext;
  account: Payer;
}

type Package = Selectable<TokenPackagesTable>;

async function findPackage({ db }: PaymentsContext, packageId: string): Promise<Package> {
  const row = await db
    .selectFrom('token_packages')
    .selectAll()
    .where('id', '=', packageId)
    .where('retired_at', 'is', null)
    .executeTakeFirst();
  if (row !== undefined) return row;
  throw new DomainError('NotFound', {
    code: 'unknown_package',
    message: 'This token package cannot be bought. Please choose another.',
  });
}

async function findPending({ context, account }: Step): Promise<StoredPurchase | null> {
  const row = await context.db
    .selectFrom('token_purchases')
    .selectAll()
    .where('user_id', '=', account.id)
    .where('status', '=', 'pending')
    .executeTakeFirst();
  return row ?? null;
}

async function update(
  { context }: Step,
  rowId: string,
  change: Partial<Pick<StoredPurchase, 'status' | 'stripe_payment_intent_id' | 'stripe_checkout_session_id'>>,
): Promise<void> {
  await inTransaction(context.db, (trx) =>
    trx
      .updateTable('token_purchases')
      .set({ ...change, updated_at: toIso(context.clock.now()) })
      .where('id', '=', rowId)
      .execute(),
  );
}

async function addPurchase({ context, account }: Step, chosen: Package): Promise<StoredPurchase> {
  const now = toIso(context.clock.now());
  return inTransaction(context.db, (trx) =>
    trx
      .insertInto('token_purchases')
      .values({
        id: newId(),
        user_id: account.id,
        package_id: chosen.id,
        package_name: chosen.name,
        token_count: chosen.token_count,
        amount_pence: chosen.price_pence,
        status: 'pending',
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
}

/** The refusal of a purchase while the earlier one is paid or processed: the member would be charged twice. */
function alreadyPaid(): DomainError {
  return new DomainError('Conflict', {
    code: 'payment_received',
    message: 'Your earlier payment is being processed. Your tokens will appear in a moment.',
  });
}

/**
 * Throws `Conflict` when the customer has paid for tokens that the database has lost, such as by a restored backup. They are
 * credited now. A customer that was just created has paid nothing.
 */
async function refuseWhenPaidUnknown({ context, origin, ...step }: Step): Promise<void> {
  if (origin === 'created' || (await adoptPurchasesOf(context, step)) === 0) return;
  throw new DomainError('Conflict', {
    code: 'payment_received',
    message: 'We found an earlier payment of yours, and its tokens are now in your account.',
  });
}

/** What the caller has just read of a purchase; null: Stripe does not know it. */
interface Read {
  intent?: Stripe.PaymentIntent | null;
  session?: Stripe.Checkout.Session | null;
}

/** Writes Stripe's state of the pending purchase; throws `Conflict` when it is paid or being paid. */
async function settle(step: Step, row: StoredPurchase, read: Read = {}): Promise<void> {
  const { context, lease } = step;
  const { stripe_payment_intent_id: intent, stripe_checkout_session_id: session } = row;
  let result: SyncResult = 'missing';
  if (intent !== null) result = await syncPurchase(context, intent, { lease, object: read.intent });
  else if (session !== null)
    result = await syncPurchaseCheckout(context, session, { lease, session: read.session });
  // Stripe has nothing that could be paid: the secret is handed out only after it is stored. A payment that Stripe knows
  // again later is written all the same.
  if (result === 'missing') await update(step, row.id, { status: 'abandoned' });
  const after = await context.db
    .selectFrom('token_purchases')
    .select('status')
    .where('id', '=', row.id)
    .executeTakeFirstOrThrow();
  if (after.status === 'pending' || after.status === 'completed') throw alreadyPaid();
}

/** Ends the pending purchase at Stripe, so that it can no longer be paid. Throws `Conflict` when it was paid. */
async function abandon(step: Step, row: StoredPurchase): Promise<void> {
  const { client } = requireStripe(step.context);
  const read: Read = {};
  try {
    const { stripe_payment_intent_id: intent, stripe_checkout_session_id: session } = row;
    if (intent !== null) {
      const canceled = await callStripe(() => client.paymentIntents.cancel(intent));
      await applyCanceled(step.context, canceled, step.lease);
      return;
    }
    if (session !== null) read.session = await callStripe(() => client.checkout.sessions.expire(session));
  } catch (error) {
    // Stripe refuses to end what is paid or has ended already: `settle` reads which.
    if (stripeCodeOf(error) === null && !(error instanceof Stripe.errors.StripeInvalidRequestError))
      throw error;
  }
  await settle(step, row, read);
}

/**
 * Creates the object of a purchase at Stripe. After an answer that Stripe replays for the idempotency key, the purchase is
 * abandoned, so that the next one has another key; the secret of what Stripe may have created was not handed out.
 */
async function createFor<T>(step: Step, row: StoredPurchase, request: () => Promise<T>): Promise<T> {
  try {
    return await callStripe(request);
  } catch (error) {
    if (
      isReplayedFault(error) ||
      stripeCodeOf(error) !== null ||
      error instanceof Stripe.errors.StripeIdempotencyError
    )
      await update(step, row.id, { status: 'abandoned' });
    throw error;
  }
}

function metadataOf({ id, user_id: user, package_id }: StoredPurchase): ReturnType<typeof ourMetadata> {
  return ourMetadata({ kind: 'tokens', row: id, user, package: package_id });
}

/** The payment of the pending purchase, if it can still be made; else null, after its state is written. */
async function continueIntent(step: Step, row: StoredPurchase): Promise<StartedPurchase | null> {
  const id = row.stripe_payment_intent_id;
  const intent = id === null ? null : await findPayment(requireStripe(step.context), id);
  if (intent === null || !isUnfinished(intent) || intent.status === 'processing') {
    await settle(step, row, { intent });
    return null;
  }
  return started(row, intent);
}

function started(row: StoredPurchase, { id, client_secret }: Stripe.PaymentIntent): StartedPurchase {
  if (client_secret === null) throw new Error(`Stripe gave payment ${id} no client secret`);
  return { purchaseId: row.id, clientSecret: client_secret, amountPence: row.amount_pence };
}

async function createIntent(step: Step, row: StoredPurchase): Promise<StartedPurchase> {
  const { client } = requireStripe(step.context);
  const intent = await createFor(step, row, () =>
    client.paymentIntents.create(
      {
        amount: row.amount_pence,
        currency: 'gbp',
        customer: step.stripeCustomerId,
        automatic_payment_methods: { enabled: true },
        description: row.package_name,
        metadata: metadataOf(row),
      },
      { idempotencyKey: `purchase-${row.id}` },
    ),
  );
  await update(step, row.id, { stripe_payment_intent_id: intent.id });
  return started(row, intent);
}

/**
 * Starts a purchase of tokens, or continues the pending one of the same package; a pending one of another package is
 * canceled at Stripe first. Throws `NotFound` (package), `Conflict` (a payment is being processed), `Unavailable`,
 * `BadGateway` (Stripe).
 */
export async function startTokenPurchase(
  context: PaymentsContext,
  { account, packageId }: { account: Payer; packageId: string },
): Promise<StartedPurchase> {
  requireStripe(context);
  const chosen = await findPackage(context, packageId);
  return withCustomer(context, account, async (customer) => {
    const step = { context, account, ...customer };
    const pending = await findPending(step);
    // A pending purchase began with the same question.
    if (pending === null) await refuseWhenPaidUnknown(step);
    // A purchase without an object at Stripe was interrupted: its idempotency key yields a single payment.
    const isSame = pending?.package_id === chosen.id && pending.stripe_checkout_session_id === null;
    if (pending === null) return createIntent(step, await addPurchase(step, chosen));
    if (isSame && pending.stripe_payment_intent_id === null) return createIntent(step, pending);
    const continued = isSame ? await continueIntent(step, pending) : null;
    if (continued !== null) return continued;
    if (!isSame) await abandon(step, pending);
    return createIntent(step, await addPurchase(step, chosen));
  });
}

async function createSession(step: Step, row: StoredPurchase, returnTo: string): Promise<{ url: string }> {
  const { client } = requireStripe(step.context);
  const metadata = metadataOf(row);
  const back = new URL(returnTo, step.context.appUrl);
  const done = new URL(back);
  done.searchParams.set('purchase', row.id);
  back.searchParams.set(LEFT_PARAMETER, '1');
  const session = await createFor(step, row, () =>
    client.checkout.sessions.create(
      {
        mode: 'payment',
        customer: step.stripeCustomerId,
        line_items: [
          {
            quantity: 1,
            price_data: {
              currency: 'gbp',
              unit_amount: row.amount_pence,
              product_data: { name: row.package_name },
            },
          },
        ],
        metadata,
        payment_intent_data: { metadata, description: row.package_name },
        success_url: done.href,
        cancel_url: back.href,
      },
      { idempotencyKey: `checkout-${row.id}` },
    ),
  );
  if (session.url === null) throw new Error(`Stripe gave Checkout session ${session.id} no address`);
  await update(step, row.id, { stripe_checkout_session_id: session.id });
  return { url: session.url };
}

/** The page of the pending purchase, if it can still be paid there; else null, after its state is written. */
async function continueSession(step: Step, row: StoredPurchase): Promise<{ url: string } | null> {
  const id = row.stripe_checkout_session_id;
  const session = id === null ? null : await findCheckoutSession(requireStripe(step.context), id);
  if (session?.status === 'open' && session.url !== null) return { url: session.url };
  await settle(step, row, { session });
  return null;
}

/**
 * Starts or continues a purchase on Stripe's hosted Checkout; the page's address. `returnTo`: a path of this site; the member
 * comes back to it with `purchase=ID` in its query after paying. Throws as `startTokenPurchase`.
 */
export async function startTokenCheckout(
  context: PaymentsContext,
  { account, packageId, returnTo }: { account: Payer; packageId: string; returnTo: string },
): Promise<{ url: string }> {
  requireStripe(context);
  const chosen = await findPackage(context, packageId);
  return withCustomer(context, account, async (customer) => {
    const step = { context, account, ...customer };
    const pending = await findPending(step);
    // A pending purchase began with the same question.
    if (pending === null) await refuseWhenPaidUnknown(step);
    const isSame = pending?.package_id === chosen.id && pending.stripe_checkout_session_id !== null;
    const continued = isSame ? await continueSession(step, pending) : null;
    if (continued !== null) return continued;
    if (pending !== null && !isSame) await abandon(step, pending);
    return createSession(step, await addPurchase(step, chosen), returnTo);
  });
}
