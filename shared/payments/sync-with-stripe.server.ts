import type { Kysely, Transaction } from 'kysely';
import type Stripe from 'stripe';
import { toIso } from '../clock';
import type { Schema } from '../database/schema';
import { inTransaction } from '../database/transaction';
import type { DueDelivery } from '../queues/catalogue';
import { requireLease, withCustomerLease, type CustomerLease } from './customer-lease.server';
import { readOurMetadata, type OurMetadata } from './our-objects';
import { requireStripe, type PaymentsContext, type StripeAccess } from './payments-context';
import { findAtStripe } from './stripe-errors';

/**
 * The result of a sync. changed: Stripe's state was written; unchanged: the database already held it; ignored: the object
 * is not ours, or Stripe does not have it.
 */
export type SyncResult = 'changed' | 'unchanged' | 'ignored';

/** What a sync wrote. */
export interface Written {
  changed: boolean;
  /** The mails that report the change. */
  mails: DueDelivery[];
}

/** Whether a row holds other values than `terms`. */
export function differs(row: object, terms: object): boolean {
  const stored = new Map<string, unknown>(Object.entries(row));
  return Object.entries(terms).some(([column, value]) => stored.get(column) !== value);
}

/** A kind of object at Stripe that has a row in the database: subscriptions, payments of tokens. */
interface SyncedKind<Row extends { user_id: string }, StripeObject, Reading> {
  /** The object alone, to find its account. */
  retrieve(stripe: StripeAccess, stripeId: string): Promise<StripeObject>;
  /** The object with all that its row depends on; null when Stripe does not have it. */
  read(stripe: StripeAccess, stripeId: string): Promise<Reading | null>;
  objectOf(reading: Reading): StripeObject;
  findRow(db: Kysely<Schema>, stripeId: string): Promise<Row | null>;
  /** The attempt of ours that created the object and has no other; null for foreign objects. */
  findAttempt(context: PaymentsContext, object: StripeObject): Promise<Row | null>;
  write(trx: Transaction<Schema>, row: Row, reading: Reading, now: number): Promise<Written>;
  /** Stripe does not have the object of the row: it was removed with its test data. */
  writeMissing(trx: Transaction<Schema>, row: Row, now: number): Promise<Written>;
}

/**
 * Creates the function that reads one object afresh from Stripe and writes its state in one transaction, with the mails
 * that report the change, while it holds the lease of the customer. `lease`: the lease that the caller holds.
 * Ignores foreign objects. Throws `BadGateway`, `Unavailable`.
 */
export function createSync<Row extends { user_id: string }, StripeObject, Reading>(
  kind: SyncedKind<Row, StripeObject, Reading>,
) {
  async function readAndWrite(
    context: PaymentsContext,
    stripeId: string,
    lease: CustomerLease,
  ): Promise<SyncResult> {
    const { db, clock, mail } = context;
    const reading = await kind.read(requireStripe(context), stripeId);
    const written = await inTransaction(db, async (trx) => {
      await requireLease(trx, lease);
      const row =
        (await kind.findRow(trx, stripeId)) ??
        (reading === null ? null : await kind.findAttempt({ ...context, db: trx }, kind.objectOf(reading)));
      if (row === null || row.user_id !== lease.accountId) return null;
      const now = clock.now();
      return reading === null ? kind.writeMissing(trx, row, now) : kind.write(trx, row, reading, now);
    });
    if (written === null) return 'ignored';
    mail.notifyQueue(written.mails);
    return written.changed ? 'changed' : 'unchanged';
  }

  /** The account that the object belongs to; null for foreign ones. */
  async function findAccount(context: PaymentsContext, stripeId: string): Promise<string | null> {
    const row = await kind.findRow(context.db, stripeId);
    if (row !== null) return row.user_id;
    const stripe = requireStripe(context);
    const object = await findAtStripe(() => kind.retrieve(stripe, stripeId));
    return object === null ? null : ((await kind.findAttempt(context, object))?.user_id ?? null);
  }

  return async function sync(
    context: PaymentsContext,
    stripeId: string,
    lease?: CustomerLease,
  ): Promise<SyncResult> {
    if (lease !== undefined) return readAndWrite(context, stripeId, lease);
    const accountId = await findAccount(context, stripeId);
    if (accountId === null) return 'ignored';
    const result = await withCustomerLease(context, accountId, (taken) =>
      readAndWrite(context, stripeId, taken),
    );
    return result ?? 'ignored';
  };
}

/** The times to write when the Checkout session of an attempt was read; `abandoned` when it expired. */
export type SessionNote =
  | { synced_at: string }
  | { synced_at: string; updated_at: string; status: 'abandoned' };

/** The attempts that a hosted Checkout session can begin. */
interface CheckoutKind {
  kind: OurMetadata['kind'];
  /** The id of the object that the session created; null while it has none. */
  objectIdOf(session: Stripe.Checkout.Session): string | null;
  sync(context: PaymentsContext, stripeId: string, lease?: CustomerLease): Promise<SyncResult>;
  /** Writes the note to the attempt of a session that has created nothing; returns how many rows changed. */
  writeNote(trx: Transaction<Schema>, sessionId: string, note: SessionNote): Promise<bigint>;
}

/**
 * Creates the same function for the attempt of a hosted Checkout session. An attempt whose session expired is abandoned.
 */
export function createCheckoutSync({ kind, objectIdOf, sync, writeNote }: CheckoutKind) {
  return async function syncCheckout(
    context: PaymentsContext,
    stripeSessionId: string,
    lease?: CustomerLease,
  ): Promise<SyncResult> {
    const { client, config } = requireStripe(context);
    const session = await findAtStripe(() => client.checkout.sessions.retrieve(stripeSessionId));
    if (session === null || readOurMetadata(session, config)?.kind !== kind) return 'ignored';
    const objectId = objectIdOf(session);
    if (objectId !== null) return sync(context, objectId, lease);
    const now = toIso(context.clock.now());
    const isOver = session.status === 'expired';
    const note: SessionNote = isOver
      ? { synced_at: now, updated_at: now, status: 'abandoned' }
      : { synced_at: now };
    const count = await inTransaction(context.db, (trx) => writeNote(trx, session.id, note));
    return isOver && count > 0n ? 'changed' : 'unchanged';
  };
}
