import type { Selectable } from 'kysely';
import { writeAudit, type Actor } from '../../audit/write-audit';
import { toIso, type Clock } from '../../clock';
import type { Database, Transaction } from '../../database/schema';
import type { AlertsTable } from '../../database/tables/monitor/alerts';
import { inTransaction } from '../../database/transaction';
import { DomainError } from '../../errors';
import { EDIT_LIFETIME_MS, ALERT_LIFETIME_MS } from '../alert-timing';
import { deliveryOutbox, type Delivery } from './deliveries';
import { canRetry, deliveryStateOf } from './delivery-state';

/** Identifies a delivery of an alert of a watch. */
interface DeliveryAction {
  watchId: string;
  deliveryId: string;
  actor: Actor;
  clock: Clock;
}

interface AlertDelivery {
  row: Delivery;
  alert: Selectable<AlertsTable>;
}

async function requireDelivery(
  trx: Transaction,
  { watchId, deliveryId }: Pick<DeliveryAction, 'watchId' | 'deliveryId'>,
): Promise<AlertDelivery> {
  const row = await trx
    .selectFrom('alert_deliveries')
    .selectAll()
    .where('id', '=', deliveryId)
    .executeTakeFirst();
  const alert = await trx
    .selectFrom('alerts')
    .selectAll()
    .where('id', '=', row?.alert_id ?? null)
    .where('watch_id', '=', watchId)
    .executeTakeFirst();
  if (row !== undefined && alert !== undefined) return { row, alert };
  throw new DomainError('NotFound', {
    code: 'unknown_delivery',
    message: 'This delivery no longer exists.',
  });
}

function auditEntry(action: string, { row, alert }: AlertDelivery, actor: Actor) {
  const details = { watch: alert.watch_id, alert: alert.id, audience: row.audience, channel: row.channel };
  return { actor, action, subject: row.id, details };
}

/**
 * Makes a failed delivery due again, and writes the audit log; the daemon sends it within a second. Throws `NotFound`
 * for an unknown delivery, and `Conflict` when it has not failed (`not_failed`) or its waiting room has closed
 * (`alert_over`).
 */
export async function retryDelivery(db: Database, action: DeliveryAction): Promise<void> {
  await inTransaction(db, async (trx) => {
    const now = action.clock.now();
    const found = await requireDelivery(trx, action);
    const { row, alert } = found;
    if (deliveryStateOf(row) !== 'failed')
      throw new DomainError('Conflict', {
        code: 'not_failed',
        message: 'This delivery is no longer marked as failed, so there is nothing to retry.',
      });
    if (!canRetry(row, alert))
      throw new DomainError('Conflict', {
        code: 'alert_over',
        message:
          'This alert is no longer open, so its message has expired. Mark the delivery as handled instead.',
      });
    const isEdit = row.sent_at !== null;
    await trx
      .updateTable('alert_deliveries')
      .set(deliveryOutbox.again({ now, lifetimeMs: isEdit ? EDIT_LIFETIME_MS : ALERT_LIFETIME_MS }))
      .where('id', '=', row.id)
      .execute();
    await writeAudit(trx, auditEntry('delivery.retry', found, action.actor), now);
  });
}

/**
 * Marks a failed or expired delivery as handled, and writes the audit log. Throws `NotFound` for an unknown delivery, and
 * `Conflict` (`not_failed`) when it has neither failed nor expired.
 */
export async function handleDelivery(db: Database, action: DeliveryAction): Promise<void> {
  await inTransaction(db, async (trx) => {
    const now = action.clock.now();
    const found = await requireDelivery(trx, action);
    const state = deliveryStateOf(found.row);
    if (state === 'handled') return;
    if (state !== 'failed' && state !== 'expired')
      throw new DomainError('Conflict', {
        code: 'not_failed',
        message: 'This delivery has neither failed nor expired, so there is nothing to handle.',
      });
    await trx
      .updateTable('alert_deliveries')
      .set({ handled_at: toIso(now), updated_at: toIso(now) })
      .where('id', '=', found.row.id)
      .execute();
    await writeAudit(trx, auditEntry('delivery.handle', found, action.actor), now);
  });
}
