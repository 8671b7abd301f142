import type { Selectable } from 'kysely';
import { addNotice, type AdminContacts } from '../alerts/admin-notices';
import type { Delivery } from '../alerts/deliveries/deliveries';
import { toIso } from '../clock';
import type { Database } from '../database/schema';
import type { SubscriptionReversalsTable } from '../database/tables/payments/subscriptions';
import { inTransaction } from '../database/transaction';
import { formatPounds } from '../money';
import { listFaults, type StoredFault } from '../payments/payment-faults';

const TITLES: Record<string, string> = {
  account: 'Payments are stopped: the Stripe key is of another account',
  key: 'Payments are stopped: Stripe refuses our key',
  permission: 'The Stripe key lacks a permission',
  missing: 'Stripe does not know several of our payments',
};

function noticeOfFault({ fault, reason, since }: StoredFault) {
  return {
    watchId: null,
    kind: 'payments_fault' as const,
    dedupeKey: `payments-fault:${fault}:${since}`,
    title: TITLES[fault] ?? `Stripe's ${fault} could not be read`,
    body: reason,
  };
}

/** Notifies the admins of each fault of payments that they do not know yet; the daemon's sweep sends the notices. */
export async function announceFaults(
  db: Database,
  { adminContacts, now }: { adminContacts: AdminContacts; now: number },
): Promise<StoredFault[]> {
  const fresh = (await listFaults(db)).filter(({ notified_at }) => notified_at === null);
  for (const fault of fresh)
    await inTransaction(db, async (trx) => {
      await addNotice(trx, noticeOfFault(fault), adminContacts, now);
      await trx
        .updateTable('payment_faults')
        .set({ notified_at: toIso(now) })
        .where('fault', '=', fault.fault)
        .where('since', '=', fault.since)
        .execute();
    });
  return fresh;
}

type Reversal = Selectable<SubscriptionReversalsTable> & { accountId: string; hasEnded: boolean };

async function listUnreported(db: Database): Promise<Reversal[]> {
  const rows = await db
    .selectFrom('subscription_reversals as reversal')
    .innerJoin('subscriptions as subscription', 'subscription.id', 'reversal.subscription_id')
    .selectAll('reversal')
    .select(['subscription.user_id as accountId', 'subscription.status as subscriptionStatus'])
    .where('reversal.notified_at', 'is', null)
    .orderBy('reversal.created_at')
    .execute();
  return rows.map(({ subscriptionStatus, ...row }) => ({
    ...row,
    hasEnded: subscriptionStatus === 'canceled',
  }));
}

function describeDispute({ status, hasEnded }: Reversal): string {
  if (status === 'lost') return 'It is lost, so the subscription ends at once.';
  if (status === 'won') return 'It is won, so nothing changes.';
  if (status.startsWith('warning_'))
    return 'It is an inquiry: the bank has taken no money yet. Answer it at Stripe.';
  return hasEnded
    ? 'Answer it at Stripe. The subscription has already ended.'
    : 'Answer it at Stripe. The subscription continues; it ends automatically if the dispute is lost.';
}

function noticeOfReversal(reversal: Reversal) {
  const { id, kind, amount_pence: amount, paid_pence: paid, accountId, hasEnded } = reversal;
  const isFull = amount >= paid;
  const what = `${formatPounds(amount)} of a subscription payment of ${formatPounds(paid)} of account ${accountId}`;
  const notice = { watchId: null, kind: 'payment_reversed' as const, dedupeKey: `payment-reversed:${id}` };
  if (kind === 'dispute')
    return {
      ...notice,
      title: 'A subscription payment is disputed',
      body: `The bank disputes ${what} (${id}). ${describeDispute(reversal)}`,
    };
  const next = hasEnded
    ? 'The subscription has already ended.'
    : 'The subscription continues. To end it as well, cancel it at Stripe.';
  return {
    ...notice,
    title: isFull
      ? 'A subscription payment was refunded in full'
      : 'A part of a subscription payment was refunded',
    body: `${what} was refunded (${id}). ${next}`,
  };
}

/** Notifies the admins once of each refund and dispute of a subscription payment. Returns the deliveries to send. */
export async function announceReversals(
  db: Database,
  { adminContacts, now }: { adminContacts: AdminContacts; now: number },
): Promise<Delivery[]> {
  const deliveries: Delivery[] = [];
  for (const reversal of await listUnreported(db)) {
    const added = await inTransaction(db, async (trx) => {
      await trx
        .updateTable('subscription_reversals')
        .set({ notified_at: toIso(now) })
        .where('id', '=', reversal.id)
        .execute();
      return addNotice(trx, noticeOfReversal(reversal), adminContacts, now);
    });
    deliveries.push(...added);
  }
  return deliveries;
}
