import { addNotice, type AdminContacts } from '../alerts/admin-notices';
import { toIso } from '../clock';
import type { Database } from '../database/connection.server';
import { inTransaction } from '../database/transaction';
import { listFaults, type StoredFault } from '../payments/payment-faults';

const TITLES: Record<string, string> = {
  account: 'Payments are stopped: the Stripe key is of another account',
  key: 'Payments are stopped: Stripe refuses our key',
  permission: 'The Stripe key lacks a permission',
  missing: 'Stripe does not know several of our payments',
};

function noticeOf({ fault, reason, since }: StoredFault) {
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
      await addNotice(trx, noticeOf(fault), adminContacts, now);
      await trx
        .updateTable('payment_faults')
        .set({ notified_at: toIso(now) })
        .where('fault', '=', fault.fault)
        .where('since', '=', fault.since)
        .execute();
    });
  return fresh;
}
