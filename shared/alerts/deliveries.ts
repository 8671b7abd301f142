import { sql, type Insertable, type Selectable, type Transaction } from 'kysely';
import { toIso } from '../clock';
import type { Schema } from '../database/schema';
import type { AlertDeliveriesTable } from '../database/tables/alert-deliveries';
import { newId } from '../ids';
import { createOutbox } from '../outbox/outbox';
import { CLAIM_LASTS_MS } from './alert-timing';

export type Delivery = Selectable<AlertDeliveriesTable>;

/** The outbox of alerts and of notices to the admins. */
export const deliveryOutbox = createOutbox('alert_deliveries', {
  unfinished: ['pending', 'sending', 'outdated'],
  claimLastsMs: CLAIM_LASTS_MS,
  // A claim that ran out belonged to a sender that died: whether its message arrived is unknown.
  onClaim: { uncertain: sql`case when status = 'sending' then 1 else uncertain end` },
});

export type NewDelivery = Pick<AlertDeliveriesTable, 'audience' | 'channel' | 'destination'> & {
  alertId?: string;
  noticeId?: string;
  dueAt: number;
  expiresAt: number;
};

/** Writes outbox rows; one that already exists for the same receiver stays as it is. Returns the rows that are new. */
export async function addDeliveries(
  trx: Transaction<Schema>,
  added: readonly NewDelivery[],
  now: number,
): Promise<Delivery[]> {
  if (added.length === 0) return [];
  const stamp = toIso(now);
  const rows = added.map(
    ({
      alertId = null,
      noticeId = null,
      dueAt,
      expiresAt,
      ...receiver
    }): Insertable<AlertDeliveriesTable> => ({
      id: newId(),
      alert_id: alertId,
      notice_id: noticeId,
      ...receiver,
      status: 'pending',
      due_at: toIso(dueAt),
      expires_at: toIso(expiresAt),
      created_at: stamp,
      updated_at: stamp,
    }),
  );
  return trx
    .insertInto('alert_deliveries')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .execute();
}
