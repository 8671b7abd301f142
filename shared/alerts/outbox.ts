import type { Insertable, Selectable, Transaction } from 'kysely';
import { toIso } from '../clock';
import type { Schema } from '../database/schema';
import type { AlertDeliveriesTable } from '../database/tables/alert-deliveries';
import { newId } from '../ids';
import { CLAIM_LASTS_MS } from './alert-timing';

export type Delivery = Selectable<AlertDeliveriesTable>;

export interface NewDelivery {
  alertId?: string;
  noticeId?: string;
  audience: AlertDeliveriesTable['audience'];
  channel: AlertDeliveriesTable['channel'];
  destination: string;
  dueAt: number;
  expiresAt: number;
  /** The daemon that will send it the moment this transaction commits; null leaves it to whoever comes first. */
  claimedBy: string | null;
}

/** Writes outbox rows; one that already exists for the same receiver stays as it is. Returns the rows that are new. */
export async function addDeliveries(
  trx: Transaction<Schema>,
  deliveries: readonly NewDelivery[],
  now: number,
): Promise<Delivery[]> {
  const stamp = toIso(now);
  const rows = deliveries.map((delivery): Insertable<AlertDeliveriesTable> => {
    const claimed = delivery.claimedBy !== null && delivery.dueAt <= now;
    return {
      id: newId(),
      alert_id: delivery.alertId ?? null,
      notice_id: delivery.noticeId ?? null,
      audience: delivery.audience,
      channel: delivery.channel,
      destination: delivery.destination,
      status: claimed ? 'sending' : 'pending',
      due_at: toIso(delivery.dueAt),
      expires_at: toIso(delivery.expiresAt),
      attempts: claimed ? 1 : 0,
      claimed_by: claimed ? delivery.claimedBy : null,
      claimed_until: claimed ? toIso(now + CLAIM_LASTS_MS) : null,
      uncertain: 0,
      sent_revision: 0,
      created_at: stamp,
      updated_at: stamp,
    };
  });
  if (rows.length === 0) return [];
  return trx
    .insertInto('alert_deliveries')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .execute();
}
