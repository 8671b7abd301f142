import { createHash } from 'node:crypto';
import type { Selectable } from 'kysely';
import Stripe from 'stripe';
import { toIso } from '../clock';
import type { StripeConfig } from '../config.server';
import type { Database } from '../database/schema';
import type { PaymentAccountTable } from '../database/tables/payments/payments';
import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import { isLiveKey } from '../production-faults.server';
import { clearFault, recordFault } from './payment-faults';
import { requireStripe, type PaymentsContext, type StripeAccess } from './payments-context';
import { STEP_LIFETIME_MS, withDeadline } from './step-deadline.server';
import { callStripe, findAtStripe, findKeyRefusal, paymentsUnavailable } from './stripe-errors';

export type StoredAccount = Selectable<PaymentAccountTable>;
export type AccountContext = Pick<PaymentsContext, 'db' | 'clock' | 'stripe'>;

/** An account at Stripe in one of its modes. `id`: null when the key may not tell. */
export interface StripeAccount {
  id: string | null;
  livemode: boolean;
}

/** This many objects are requested when the database has objects of an account and does not say which. */
const SAMPLE = 3;
/** One object that Stripe does not know can have been removed. */
const MIN_UNKNOWN = 2;

/** The account of a client: its key never changes. */
const accounts = new WeakMap<Stripe, Promise<string | null>>();

function hashKey({ secretKey }: StripeConfig): string {
  return createHash('sha256').update(secretKey).digest('hex').slice(0, 32);
}

/** The account that a refusal names; null when it names none. */
function accountIn(error: unknown): string | null {
  const cause = error instanceof DomainError ? error.cause : error;
  if (!(cause instanceof Stripe.errors.StripePermissionError)) return null;
  return /\bacct_[a-zA-Z0-9]{1,60}/.exec(cause.message)?.[0] ?? null;
}

/** The id of the key's account: Stripe's refusal names it when a restricted key may not read it (stripe-node issue 2246). */
async function readAccountId({ client }: StripeAccess): Promise<string | null> {
  try {
    return (await callStripe(() => client.accounts.retrieveCurrent())).id;
  } catch (error) {
    const named = accountIn(error);
    if (named !== null) return named;
    const cause = error instanceof DomainError ? error.cause : error;
    if (
      cause instanceof Stripe.errors.StripePermissionError ||
      cause instanceof Stripe.errors.StripeInvalidRequestError
    )
      return null;
    throw error;
  }
}

/** Asks Stripe whether it accepts the configured key. Throws `Unavailable` when it does not, `BadGateway`. */
export async function probeKey(access: StripeAccess): Promise<void> {
  await readAccountId(access);
}

/** The account and mode of the configured key. Throws `BadGateway`, `Unavailable`. */
export async function readStripeAccount(access: StripeAccess): Promise<StripeAccount> {
  const { client, config } = access;
  const reading = accounts.get(client) ?? readAccountId(access);
  accounts.set(client, reading);
  try {
    return { id: await reading, livemode: isLiveKey(config.secretKey) };
  } catch (error) {
    accounts.delete(client);
    throw error;
  }
}

/** The account whose objects the database refers to; null before the first request. */
export async function findStoredAccount(db: Database): Promise<StoredAccount | null> {
  return (await db.selectFrom('payment_account').selectAll().executeTakeFirst()) ?? null;
}

/** Some requests for objects that the database refers to: the newest price and customers. */
async function sampleKnownObjects({ db }: AccountContext, { client }: StripeAccess) {
  const prices = await db
    .selectFrom('subscription_packages')
    .select('stripe_price_id as id')
    .where('stripe_price_id', 'is not', null)
    .where('stripe_fault', 'is', null)
    .orderBy('created_at', 'desc')
    .limit(1)
    .execute();
  const customers = await db
    .selectFrom('payment_customers')
    .select('stripe_customer_id as id')
    .where('stripe_customer_id', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(SAMPLE)
    .execute();
  return [
    ...prices.map(({ id }) => ({ id, find: () => client.prices.retrieve(id ?? '') })),
    ...customers.map(({ id }) => ({ id, find: () => client.customers.retrieve(id ?? '') })),
  ];
}

/** Why the key cannot be of the account that the database refers to, by objects of that account; null when it can. */
async function findUnknownObjects(context: AccountContext, access: StripeAccess): Promise<string | null> {
  const objects = await sampleKnownObjects(context, access);
  for (const { find } of objects) if ((await findAtStripe<unknown>(find)) !== null) return null;
  if (objects.length < MIN_UNKNOWN) return null;
  return `Stripe does not know ${objects.map(({ id }) => id).join(', ')}, which the database refers to`;
}

/** An account in words, such as `acct_1A (test mode)`. */
export function describeAccount({ id, livemode }: StripeAccount): string {
  return `${id ?? 'an account that the key may not name'} (${livemode ? 'live' : 'test'} mode)`;
}

async function findDifference(
  context: AccountContext,
  access: StripeAccess,
  stored: StoredAccount | null,
): Promise<string | null> {
  const account = await readStripeAccount(access);
  if (stored === null) return findUnknownObjects(context, access);
  const known = { id: stored.stripe_account_id, livemode: stored.livemode === 1 };
  const isOther =
    known.livemode !== account.livemode ||
    (known.id !== null && account.id !== null && known.id !== account.id);
  if (isOther)
    return `it is of ${describeAccount(account)}, and the database refers to ${describeAccount(known)}`;
  return known.id === null || account.id === null ? findUnknownObjects(context, access) : null;
}

/**
 * Stores the account of the configured key as the one that the database refers to. `isOther`: it replaces another one;
 * otherwise a known id stays when the key may not tell.
 */
export async function storeAccount(
  { db, clock, stripe }: AccountContext,
  { isOther }: { isOther: boolean },
): Promise<StripeAccount> {
  const access = requireStripe({ stripe });
  const account = await readStripeAccount(access);
  const stamp = toIso(clock.now());
  const columns = { livemode: account.livemode ? 1 : 0, key_hash: hashKey(access.config) } as const;
  await inTransaction(db, (trx) =>
    trx
      .insertInto('payment_account')
      .values({ id: 1, stripe_account_id: account.id, ...columns, created_at: stamp, updated_at: stamp })
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet({
          ...columns,
          ...(account.id === null && !isOther ? {} : { stripe_account_id: account.id }),
          updated_at: stamp,
        }),
      )
      .execute(),
  );
  return account;
}

/**
 * Gives access to Stripe when the configured key is of the account and mode that the database refers to; the first call
 * stores them. With another key every known object would be missing. Call it before anything is read from Stripe or sent
 * to it. Throws `Unavailable` (payment switched off, another account, a refused key) and `BadGateway`.
 */
export async function requireOurAccount(context: AccountContext): Promise<StripeAccess> {
  const access = requireStripe(context);
  const stored = await findStoredAccount(context.db);
  if (stored?.key_hash === hashKey(access.config)) return access;
  const difference = await findDifference(context, access, stored);
  if (difference === null) {
    await storeAccount(context, { isOther: false });
    await clearFault(context.db, 'account');
    return access;
  }
  const reason = `STRIPE_SECRET_KEY is not the key of our account: ${difference}. Nothing is read from Stripe and nothing can be bought, and memberships stay as they are. Set the right keys and restart; if the change is meant, run: npm run payments -- account accept`;
  await recordFault(context.db, { fault: 'account', reason, now: context.clock.now() });
  throw paymentsUnavailable(new Error(reason));
}

/** Runs a payment step: our account, one step's time, a fault when Stripe refuses the key. Throws as `requireOurAccount`. */
export function withStripe<T>(
  context: AccountContext,
  work: (access: StripeAccess) => Promise<T>,
): Promise<T> {
  return withDeadline(STEP_LIFETIME_MS, async () => {
    try {
      return await work(await requireOurAccount(context));
    } catch (error) {
      await reportRefusal(context, error);
      throw error;
    }
  });
}

/** Records a fault when Stripe refuses our key; other errors are left to the caller. */
export async function reportRefusal({ db, clock }: AccountContext, error: unknown): Promise<void> {
  const refusal = findKeyRefusal(error);
  if (refusal !== null) await recordFault(db, { ...refusal, now: clock.now() });
}

/**
 * Why members cannot pay; null: they can. off: Stripe is not configured; unavailable: its key is known to be of another
 * account or refused.
 */
export async function findPaymentHold({ db, stripe }: AccountContext): Promise<'off' | 'unavailable' | null> {
  if (stripe === null) return 'off';
  const faults = await db
    .selectFrom('payment_faults')
    .select('fault')
    .where('fault', 'in', ['account', 'key'])
    .execute();
  if (faults.length === 0) return null;
  const stored = await findStoredAccount(db);
  // The right key is back, and the daemon has not noticed it yet.
  const isOver =
    stored?.key_hash === hashKey(stripe.config) && faults.every(({ fault }) => fault === 'account');
  return isOver ? null : 'unavailable';
}
