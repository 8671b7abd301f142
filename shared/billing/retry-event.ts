import { writeAudit, type Actor } from '../audit/write-audit';
import type { Clock } from '../clock';
import type { Database } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import { EVENT_LIFETIME_MS, eventStateOf, paymentEventOutbox, type PaymentEvent } from './payment-events';

/** Makes an event that was given up pending again. `id`: ours or Stripe's. Throws `NotFound`, `Conflict` (not failed). */
export function retryEvent(
  db: Database,
  { id, actor, clock }: { id: string; actor: Actor; clock: Clock },
): Promise<PaymentEvent> {
  return inTransaction(db, async (trx) => {
    const event = await trx
      .selectFrom('payment_events')
      .select(['id', 'stripe_event_id', 'status'])
      .where((where) => where.or([where('id', '=', id), where('stripe_event_id', '=', id)]))
      .executeTakeFirst();
    if (event === undefined)
      throw new DomainError('NotFound', {
        code: 'event_not_found',
        message: `There is no event ${id}. Applied and ignored events are deleted after 90 days.`,
      });
    if (event.status !== 'dead' && event.status !== 'expired')
      throw new DomainError('Conflict', {
        code: 'event_not_failed',
        message: `The event ${event.stripe_event_id} has not failed: it is ${eventStateOf(event)}.`,
      });
    const now = clock.now();
    await writeAudit(trx, { actor, action: 'payments.retry', subject: event.stripe_event_id }, now);
    return trx
      .updateTable('payment_events')
      .set(paymentEventOutbox.again({ now, lifetimeMs: EVENT_LIFETIME_MS }))
      .where('id', '=', event.id)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}
