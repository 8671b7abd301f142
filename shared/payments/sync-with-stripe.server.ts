import type Stripe from 'stripe';
import { toIso } from '../clock';
import type { Database, Transaction } from '../database/schema';
import { inTransaction } from '../database/transaction';
import type { PaymentMail } from '../mail/payment-mails';
import { requireLease, withCustomerLease, type CustomerLease } from './customer-lease.server';
import { readOurMetadata, type OurMetadata } from './our-objects';
import type { PaymentsContext, StripeAccess } from './payments-context';
import { requireOurAccount } from './stripe-account.server';
import { findAtStripe } from './stripe-errors';
import { addMail, PAYMENT_MAIL_LIFETIME_MS } from '../mail/mails';
import type { DueDelivery } from '../queues/catalogue';

/**
 * The result of a sync. changed: Stripe's state was written; unchanged: the database already held it; ignored: the object
 * is not ours; missing: Stripe does not know it; that is noted, and the row stays unchanged.
 */
export type SyncResult = 'changed' | 'unchanged' | 'ignored' | 'missing';

/** The changes that a sync wrote. */
export interface Written {
  changed: boolean;
  /** The mails that report the change. */
  mails: PaymentMail[];
}

interface SyncOptions {
  /** The lease that the caller holds. */
  lease?: CustomerLease;
  /** Without mails: the changes are old and were reported before. */
  quiet?: boolean;
}

/** Options of a caller that holds the lease. */
interface LeasedOptions<StripeObject> extends SyncOptions {
  lease: CustomerLease;
  /** The object that the caller has just retrieved under the lease; null: Stripe does not know it. */
  object?: StripeObject | null;
}

/** Whether a row holds other values than `terms`. */
export function differs(row: object, terms: object): boolean {
  const stored = new Map<string, unknown>(Object.entries(row));
  return Object.entries(terms).some(([column, value]) => stored.get(column) !== value);
}

/** A kind of object at Stripe that has a row in the database: subscriptions, payments of tokens. */
interface SyncedKind<Row extends { user_id: string }, StripeObject, Reading> {
  /** The object; null when Stripe does not have it. */
  retrieve(stripe: StripeAccess, stripeId: string): Promise<StripeObject | null>;
  /** The object with everything else that its row depends on. */
  read(stripe: StripeAccess, object: StripeObject): Promise<Reading>;
  objectOf(reading: Reading): StripeObject;
  findRow(db: Database, stripeId: string): Promise<Row | null>;
  /** Our attempt that created the object and no other one; null for foreign objects. */
  findAttempt(context: PaymentsContext, object: StripeObject): Promise<Row | null>;
  write(trx: Transaction, row: Row, reading: Reading, now: number): Promise<Written>;
  /** Notes in the row that its object is missing at Stripe. */
  noteMissing(trx: Transaction, row: Row, now: number): Promise<void>;
}

/**
 * Creates the functions that write Stripe's state of one kind of object. Each writes in one transaction, with the mails
 * that report the change, while it holds the lease of the customer. Both ignore foreign objects. `sync`: reads the object
 * under the lease, unless the caller has, and then the objects that belong to it. An object that Stripe does not know
 * never counts as ended: that is noted, and everything else stays unchanged. Throws `BadGateway`, `Unavailable`. `apply`:
 * writes an answer that the caller has, so that it is not read again.
 */
export function createSync<Row extends { user_id: string }, StripeObject, Reading>(
  kind: SyncedKind<Row, StripeObject, Reading>,
) {
  async function write(
    context: PaymentsContext,
    { stripeId, reading }: { stripeId: string; reading: Reading | null },
    { lease, quiet = false }: SyncOptions & { lease: CustomerLease },
  ): Promise<SyncResult> {
    const { db, clock, mail } = context;
    const { result, due } = await inTransaction(db, async (trx) => {
      await requireLease(trx, lease);
      const row =
        (await kind.findRow(trx, stripeId)) ??
        (reading === null ? null : await kind.findAttempt({ ...context, db: trx }, kind.objectOf(reading)));
      if (row === null || row.user_id !== lease.accountId) return { result: 'ignored' as const, due: [] };
      const now = clock.now();
      if (reading === null) {
        await kind.noteMissing(trx, row, now);
        return { result: 'missing' as const, due: [] };
      }
      const { changed, mails } = await kind.write(trx, row, reading, now);
      const facts = { accountId: row.user_id, mails: quiet ? [] : mails, now };
      return {
        result: changed ? ('changed' as const) : ('unchanged' as const),
        due: await addPaymentMails(trx, facts),
      };
    });
    mail.notifyQueue(due);
    return result;
  }

  async function readAndWrite(
    context: PaymentsContext,
    stripeId: string,
    options: LeasedOptions<StripeObject>,
  ): Promise<SyncResult> {
    const stripe = await requireOurAccount(context);
    const object = options.object === undefined ? await kind.retrieve(stripe, stripeId) : options.object;
    const reading = object === null ? null : await kind.read(stripe, object);
    return write(context, { stripeId, reading }, options);
  }

  /**
   * The account that the object belongs to; null for foreign ones. Objects that are retrieved for that are older than the
   * lease, so they are not written.
   */
  async function findAccount(context: PaymentsContext, stripeId: string): Promise<string | null> {
    const row = await kind.findRow(context.db, stripeId);
    if (row !== null) return row.user_id;
    const stripe = await requireOurAccount(context);
    const object = await kind.retrieve(stripe, stripeId);
    return object === null ? null : ((await kind.findAttempt(context, object))?.user_id ?? null);
  }

  return {
    async sync(
      context: PaymentsContext,
      stripeId: string,
      options: SyncOptions | LeasedOptions<StripeObject> = {},
    ): Promise<SyncResult> {
      const { lease, quiet } = options;
      if (lease !== undefined) return readAndWrite(context, stripeId, { ...options, lease });
      const accountId = await findAccount(context, stripeId);
      if (accountId === null) return 'ignored';
      const result = await withCustomerLease(context, accountId, (taken) =>
        readAndWrite(context, stripeId, { lease: taken, quiet }),
      );
      return result ?? 'ignored';
    },

    apply(
      context: PaymentsContext,
      reading: { stripeId: string } & { reading: Reading },
      lease: CustomerLease,
    ): Promise<SyncResult> {
      return write(context, reading, { lease });
    },
  };
}

/** The columns to write after reading an attempt's Checkout session; `abandoned` when it expired. */
type SessionNote =
  | { synced_at: string; missing_since: string | null }
  | { synced_at: string; updated_at: string; status: 'abandoned' };

/** The attempts that a hosted Checkout session can begin. */
interface CheckoutKind {
  kind: OurMetadata['kind'];
  /** The id of the object that the session created; null while it has none. */
  objectIdOf(session: Stripe.Checkout.Session): string | null;
  sync(context: PaymentsContext, stripeId: string, options?: SyncOptions): Promise<SyncResult>;
  /** Writes the note to the attempt of a session that has created nothing; returns how many rows changed. */
  writeNote(trx: Transaction, sessionId: string, note: SessionNote): Promise<bigint>;
}

/** Reads a Checkout session; null when Stripe does not know it. Throws `BadGateway`, `Unavailable`. */
export function findCheckoutSession(
  { client }: Pick<StripeAccess, 'client'>,
  id: string,
): Promise<Stripe.Checkout.Session | null> {
  return findAtStripe(() => client.checkout.sessions.retrieve(id));
}

/** The session that a caller may have read already; null: Stripe does not know it. */
interface CheckoutOptions extends SyncOptions {
  session?: Stripe.Checkout.Session | null;
}

type CheckoutSync = (
  context: PaymentsContext,
  stripeSessionId: string,
  options?: CheckoutOptions,
) => Promise<SyncResult>;

/** Creates the `sync` function for attempts of hosted Checkout sessions. An attempt whose session expired is abandoned. */
export function createCheckoutSync({ kind, objectIdOf, sync, writeNote }: CheckoutKind): CheckoutSync {
  return async function syncCheckout(context, stripeSessionId, { session: given, ...options } = {}) {
    const access = await requireOurAccount(context);
    const session = given === undefined ? await findCheckoutSession(access, stripeSessionId) : given;
    const now = toIso(context.clock.now());
    if (session === null) {
      const missing = { synced_at: now, missing_since: now };
      const noted = await inTransaction(context.db, (trx) => writeNote(trx, stripeSessionId, missing));
      return noted > 0n ? 'missing' : 'ignored';
    }
    if (readOurMetadata(session, access.config)?.kind !== kind) return 'ignored';
    const objectId = objectIdOf(session);
    if (objectId !== null) return sync(context, objectId, options);
    const isOver = session.status === 'expired';
    const note: SessionNote = isOver
      ? { synced_at: now, updated_at: now, status: 'abandoned' }
      : { synced_at: now, missing_since: null };
    const count = await inTransaction(context.db, (trx) => writeNote(trx, session.id, note));
    return isOver && count > 0n ? 'changed' : 'unchanged';
  };
}

/** Writes a Checkout session of any of these kinds. It is read once. */
export async function syncAnyCheckout(
  context: PaymentsContext,
  stripeSessionId: string,
  kinds: readonly CheckoutSync[],
): Promise<SyncResult> {
  const session = await findCheckoutSession(await requireOurAccount(context), stripeSessionId);
  for (const syncCheckout of kinds) {
    const result = await syncCheckout(context, stripeSessionId, { session });
    if (result !== 'ignored') return result;
  }
  return 'ignored';
}

/** Adds mails about payments to an account's address, in the transaction of the change that they report; none to a deleted account. */
async function addPaymentMails(
  trx: Transaction,
  { accountId, mails, now }: { accountId: string; mails: readonly PaymentMail[]; now: number },
): Promise<DueDelivery[]> {
  if (mails.length === 0) return [];
  const { email, deleted_at: deletedAt } = await trx
    .selectFrom('users')
    .select(['email', 'deleted_at'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (deletedAt !== null) return [];
  const due: DueDelivery[] = [];
  for (const facts of mails) {
    const mail = { to: email, template: facts.template, facts };
    due.push(await addMail(trx, { ...mail, expiresAt: now + PAYMENT_MAIL_LIFETIME_MS }, now));
  }
  return due;
}
