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
/** Longer than any id or type of Stripe. */
const MAX_TEXT = 255;
const text = z.string().min(1).max(MAX_TEXT);
/** Up to the year 9999. */
const MAX_SECONDS = 253_402_300_799;

/** The parts of an event that are stored (docs.stripe.com/api/events/object). */
const eventSchema = z.looseObject({
  id: text,
  type: text,
  created: z.number().int().min(0).max(MAX_SECONDS),
  livemode: z.boolean(),
  data: z.looseObject({ object: z.looseObject({}) }),
});
const objectSchema = z.object({
  id: text.catch(''),
  object: text.catch(''),
  customer: z
    .union([text, z.object({ id: text }), z.null()])
    .optional()
    .catch(null),
});

/** The parser's error is no cause, because it quotes the body. */
const badSignature = (cause?: unknown): DomainError =>
  new DomainError('Invalid', {
    code: 'invalid_signature',
    message: 'The signature of this event is missing, wrong or too old.',
    cause,
  });

/** The refusal of a request that does not hold an event. Nothing of the body is in it, because it is logged. */
const notAnEvent = (): DomainError =>
  new DomainError('Invalid', {
    code: 'invalid_event',
    message: 'The body is not an event of Stripe: it needs id, type, created, livemode and data.object.',
  });

function verify({ clock, stripe }: PaymentsContext, body: Buffer, signature: string): void {
  const { client, config } = requireStripe({ stripe });
  const { webhookSecret: secret } = config;
  const verifier = client.webhooks.signature;
  if (verifier === null) throw new Error('the SDK of Stripe has no verification of signatures');
  try {
    verifier.verifyHeader(body, signature, secret, SIGNATURE_LIFETIME_SECONDS, undefined, clock.now());
  } catch (error) {
    // Without the error's fields, which hold the body and the header.
    throw badSignature(error instanceof Error ? error.message : undefined);
  }
}

function parseEvent(body: Buffer): Stripe.Event {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString('utf8'));
  } catch {
    throw badSignature();
  }
  const event = eventSchema.safeParse(parsed);
  if (!event.success) throw notAnEvent();
  // Its object is read field by field, because any of them can be missing.
  return event.data as unknown as Stripe.Event;
}

function customerOf(object: z.infer<typeof objectSchema>): string | null {
  if (object.object === 'customer') return object.id;
  return typeof object.customer === 'string' ? object.customer : (object.customer?.id ?? null);
}

/**
 * Stores an event of Stripe, once by its id. `body`: the bytes as they arrived; `signature`: the header Stripe-Signature.
 * Events of types that we do not handle, of the
 * other mode (test or live), and without the id of their object are stored as ignored. Returns the
 * row to apply; null when there is nothing to do. Throws `Invalid` for a bad or old signature and for a body that is no event, `Unavailable` while payment
 * is switched off.
 */
export async function storeEvent(
  context: PaymentsContext,
  { body, signature }: { body: Uint8Array; signature: string },
): Promise<PaymentEvent | null> {
  const bytes = Buffer.from(body);
  verify(context, bytes, signature);
  const event = parseEvent(bytes);
  const { config } = requireStripe(context);
  const object = objectSchema.parse(event.data.object);
  const found = isOurMode(event, config) ? targetOf(event) : null;
  const target = text.safeParse(found?.objectId).success ? found : null;
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
        ...(target === null ? { status: 'cancelled' as const } : {}),
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
