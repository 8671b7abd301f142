import type Stripe from 'stripe';
import { z } from 'zod';
import { SECOND, toIso } from '../clock';
import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import { isOurMode } from '../payments/our-objects';
import { requireStripe, type PaymentsContext } from '../payments/payments-context';
import { targetOf } from './event-target.server';
import { EVENT_LIFETIME_MS, paymentEventOutbox, type PaymentEvent } from './payment-events';

/** An older signature is refused, so that a recorded request cannot be sent again (docs.stripe.com/webhooks/signature). */
const SIGNATURE_LIFETIME_SECONDS = 300;
/** The part of every event that is stored. */
const objectSchema = z.object({
  id: z.string().catch(''),
  object: z.string().catch(''),
  customer: z
    .union([z.string(), z.object({ id: z.string() }), z.null()])
    .optional()
    .catch(null),
});

function verify({ clock, stripe }: PaymentsContext, body: Uint8Array, signature: string): Stripe.Event {
  const { client, config } = requireStripe({ stripe });
  try {
    return client.webhooks.constructEvent(
      Buffer.from(body),
      signature,
      config.webhookSecret,
      SIGNATURE_LIFETIME_SECONDS,
      undefined,
      clock.now(),
    );
  } catch (error) {
    throw new DomainError('Invalid', {
      code: 'invalid_signature',
      message: 'The signature of this event is missing, wrong or too old.',
      cause: error,
    });
  }
}

function customerOf(object: z.infer<typeof objectSchema>): string | null {
  if (object.object === 'customer') return object.id;
  return typeof object.customer === 'string' ? object.customer : (object.customer?.id ?? null);
}

/**
 * Stores an event of Stripe, once by its id. `body`: the bytes as they arrived; `signature`: the header Stripe-Signature.
 * Events of types that we do not handle, and those of the other mode (test or live), are stored as ignored. Returns the
 * row to apply; null when there is nothing to do. Throws `Invalid` for a bad or old signature, `Unavailable` while payment
 * is switched off.
 */
export async function storeEvent(
  context: PaymentsContext,
  { body, signature }: { body: Uint8Array; signature: string },
): Promise<PaymentEvent | null> {
  const event = verify(context, body, signature);
  const { config } = requireStripe(context);
  const object = objectSchema.parse(event.data.object);
  const target = isOurMode(event, config) ? targetOf(event) : null;
  const row = await inTransaction(context.db, (trx) => {
    const now = context.clock.now();
    return trx
      .insertInto('payment_events')
      .values({
        ...paymentEventOutbox.newRow({
          dueAt: now,
          expiresAt: now + EVENT_LIFETIME_MS,
          owner: null,
          now,
        }),
        ...(target === null ? { status: 'ignored' as const } : {}),
        stripe_event_id: event.id,
        type: event.type,
        object_type: target?.objectType ?? object.object,
        object_id: target?.objectId ?? object.id,
        stripe_customer_id: customerOf(object),
        stripe_created_at: toIso(event.created * SECOND),
      })
      .onConflict((conflict) => conflict.column('stripe_event_id').doNothing())
      .returningAll()
      .executeTakeFirst();
  });
  return row?.status === 'pending' ? row : null;
}
