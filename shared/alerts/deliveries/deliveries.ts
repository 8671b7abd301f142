import type { Selectable } from 'kysely';
import { prepareQuery } from '../../database/prepare-query';
import type { Transaction } from '../../database/schema';
import type { AlertDeliveriesTable } from '../../database/tables/monitor/alert-deliveries';
import { OUTBOXES } from '../../outbox/outboxes';

export type Delivery = Selectable<AlertDeliveriesTable>;

/** The outbox of alerts and of notices to the admins. */
export const deliveryOutbox = OUTBOXES.alerts;

export type NewDelivery = Pick<AlertDeliveriesTable, 'audience' | 'channel' | 'destination'> & {
  alertId?: string;
  noticeId?: string;
  dueAt: number;
  expiresAt: number;
  owner: string | null;
};

/** Adds outbox rows; an existing row for the same receiver stays unchanged. Returns the new rows. */
export async function addDeliveries(
  trx: Transaction,
  added: readonly NewDelivery[],
  now: number,
): Promise<Delivery[]> {
  const rows: Delivery[] = [];
  for (const { alertId = null, noticeId = null, dueAt, expiresAt, owner, ...receiver } of added) {
    const common = deliveryOutbox.newRow({ dueAt, expiresAt, owner, now });
    rows.push(
      ...(await insertDelivery(trx, { ...common, ...receiver, alert_id: alertId, notice_id: noticeId })),
    );
  }
  return rows;
}

const insertDelivery = prepareQuery((db, row: InsertableDelivery) =>
  db
    .insertInto('alert_deliveries')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll(),
);

type InsertableDelivery = ReturnType<typeof deliveryOutbox.newRow> &
  Pick<Delivery, 'audience' | 'channel' | 'destination' | 'alert_id' | 'notice_id'>;
