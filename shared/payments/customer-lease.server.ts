import { setTimeout as sleep } from 'node:timers/promises';
import { CLOCK_TOLERANCE_MS, SECOND, toIso, type Clock } from '../clock';
import type { Database, Transaction } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import { newId } from '../ids';
import { remainingMs } from './step-deadline.server';

/** A process that died holds its lease for at most this long. */
export const LEASE_LIFETIME_MS = 15 * SECOND;
const RENEW_EVERY_MS = 4 * SECOND;
/** A page must answer within 15 s (product specification). */
const MAX_WAIT_MS = 10 * SECOND;
const FIRST_POLL_MS = 10;
const MAX_POLL_MS = 250;

/** The right to write Stripe's state of one account; held by one process at a time. */
export interface CustomerLease {
  accountId: string;
  /** The row of `payment_customers` that holds the lease. */
  customerRowId: string;
  token: string;
}

interface LeaseContext {
  db: Database;
  clock: Clock;
}

/** The newest customer of an account holds its lease, also when it was deleted at Stripe. */
async function findLeaseRow(db: Database, accountId: string): Promise<string | null> {
  const row = await db
    .selectFrom('payment_customers')
    .select('id')
    .where('user_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Takes or renews the lease. False while another holds it. */
async function claim({ db, clock }: LeaseContext, { customerRowId, token }: CustomerLease): Promise<boolean> {
  const { numUpdatedRows } = await inTransaction(db, (trx) => {
    // Read inside the write lock, because the wait for it takes time.
    const now = clock.now();
    return (
      trx
        .updateTable('payment_customers')
        .set({ locked_by: token, locked_until: toIso(now + LEASE_LIFETIME_MS) })
        .where('id', '=', customerRowId)
        // A lease that ends implausibly late was taken before the clock was set back.
        .where((where) =>
          where.or([
            where('locked_until', 'is', null),
            where('locked_by', '=', token),
            where('locked_until', '<=', toIso(now)),
            where('locked_until', '>', toIso(now + LEASE_LIFETIME_MS + CLOCK_TOLERANCE_MS)),
          ]),
        )
        .executeTakeFirstOrThrow()
    );
  });
  return numUpdatedRows > 0n;
}

async function waitForTurn(context: LeaseContext, lease: CustomerLease): Promise<void> {
  const giveUpAt = performance.now() + Math.min(MAX_WAIT_MS, remainingMs());
  for (let wait = FIRST_POLL_MS; !(await claim(context, lease)); wait = Math.min(wait * 2, MAX_POLL_MS)) {
    if (performance.now() >= giveUpAt)
      throw new DomainError('Unavailable', {
        code: 'payment_busy',
        message: 'Another payment on your account is still being processed. Please try again in a minute.',
        retryAfterSeconds: Math.ceil(LEASE_LIFETIME_MS / SECOND),
      });
    await sleep(wait * (0.5 + Math.random()));
  }
}

async function releaseLease({ db }: LeaseContext, { customerRowId, token }: CustomerLease): Promise<void> {
  await inTransaction(db, (trx) =>
    trx
      .updateTable('payment_customers')
      .set({ locked_by: null, locked_until: null })
      .where('id', '=', customerRowId)
      .where('locked_by', '=', token)
      .execute(),
  );
}

/** Waits for the account's lease; null for an account without a customer. */
async function takeLease(context: LeaseContext, accountId: string): Promise<CustomerLease | null> {
  for (;;) {
    const customerRowId = await findLeaseRow(context.db, accountId);
    if (customerRowId === null) return null;
    const lease: CustomerLease = { accountId, customerRowId, token: newId() };
    await waitForTurn(context, lease);
    // Another customer may have replaced this one; then its row holds the lease.
    if ((await findLeaseRow(context.db, accountId)) === customerRowId) return lease;
    await releaseLease(context, lease);
  }
}

/**
 * Runs `work` while no other process writes Stripe's state of the account. Waits up to ten seconds for its turn, and
 * throws `Unavailable` after that. The lease is renewed while `work` runs. Returns null, without running `work`, for an
 * account without a customer. Work that already holds the lease must pass it on instead of taking it again.
 */
export async function withCustomerLease<T>(
  context: LeaseContext,
  accountId: string,
  work: (lease: CustomerLease) => Promise<T>,
): Promise<T | null> {
  const lease = await takeLease(context, accountId);
  if (lease === null) return null;
  const renewal = setInterval(() => {
    // A lease that cannot be renewed is noticed by `requireLease`.
    claim(context, lease).catch(() => undefined);
  }, RENEW_EVERY_MS);
  renewal.unref();
  try {
    return await work(lease);
  } finally {
    clearInterval(renewal);
    await releaseLease(context, lease);
  }
}

/**
 * Throws `Unavailable` when the lease was lost, for example while the process was suspended: another process may have
 * written a newer state of Stripe. Call it in the transaction that writes Stripe's state.
 */
export async function requireLease(trx: Transaction, lease: CustomerLease): Promise<void> {
  const row = await trx
    .selectFrom('payment_customers')
    .select('locked_by')
    .where('id', '=', lease.customerRowId)
    .executeTakeFirst();
  if (row?.locked_by === lease.token) return;
  throw new DomainError('Unavailable', {
    code: 'payment_busy',
    message: 'Another payment on your account was being processed at the same time. Please try again.',
  });
}
