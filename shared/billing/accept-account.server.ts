import { sql } from 'kysely';
import { writeAudit, type Actor } from '../audit/write-audit';
import { toIso } from '../clock';
import { inTransaction } from '../database/transaction';
import { clearFault } from '../payments/payment-faults';
import {
  describeAccount,
  findStoredAccount,
  storeAccount,
  type AccountContext,
  type StripeAccount,
} from '../payments/stripe-account.server';

/**
 * Makes the account of the configured key the one that the database refers to, on the operator's word. The objects of the
 * former account are noted as missing: nothing is canceled, memberships last until their paid period ends, and the
 * comparison with Stripe does not stop because of them. `changed` is false when it was that account already. Throws `Unavailable`, `BadGateway`.
 */
export async function acceptAccount(
  context: AccountContext,
  { actor }: { actor: Actor },
): Promise<{ account: StripeAccount; changed: boolean; noted: number }> {
  const { db, clock } = context;
  const former = await findStoredAccount(db);
  const account = await storeAccount(context, { isOther: true });
  const stamp = toIso(clock.now());
  const isSame =
    former !== null &&
    former.stripe_account_id === account.id &&
    (former.livemode === 1) === account.livemode &&
    account.id !== null;
  const noted = await inTransaction(db, async (trx) => {
    const subject = describeAccount(account);
    await writeAudit(trx, { actor, action: 'payments.account.accept', subject }, clock.now());
    if (isSame) return 0;
    const subscriptions = await trx
      .updateTable('subscriptions')
      .set({ missing_since: stamp })
      // Literals, so that SQLite uses the partial index of unfinished rows.
      .where(sql<boolean>`status not in ('abandoned', 'incomplete_expired', 'canceled')`)
      .where('missing_since', 'is', null)
      .where((where) =>
        where.or([
          where('stripe_subscription_id', 'is not', null),
          where('stripe_checkout_session_id', 'is not', null),
        ]),
      )
      .executeTakeFirstOrThrow();
    const purchases = await trx
      .updateTable('token_purchases')
      .set({ missing_since: stamp })
      // A literal, so that SQLite uses the partial index of pending rows.
      .where(sql<boolean>`status = 'pending'`)
      .where('missing_since', 'is', null)
      .executeTakeFirstOrThrow();
    return Number(subscriptions.numUpdatedRows + purchases.numUpdatedRows);
  });
  await clearFault(db, 'account');
  return { account, changed: !isSame, noted };
}
