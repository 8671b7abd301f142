import type Stripe from 'stripe';
import { z } from 'zod';
import { SECOND, toIso } from '../clock';
import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import { isOurMode, idOf } from '../payments/our-objects';
import { requireStripe, type PaymentsContext } from '../payments/payments-context';
import { EVENT_LIFETIME_MS, paymentEventOutbox, type PaymentEvent } from './payment-events';

/** The subject of an event, which is read from Stripe when the event is applied. */
interface EventTarget {
  objectType: 'subscription' | 'payment_intent' | 'checkout.session' | 'customer';
  objectId: string;
}

const subscription = (objectId: string | null): EventTarget | null =>
  objectId === null ? null : { objectType: 'subscription', objectId };
const payment = (objectId: string | null): EventTarget | null =>
  objectId === null ? null : { objectType: 'payment_intent', objectId };

const customer = (objectId: string | null): EventTarget | null =>
  objectId === null ? null : { objectType: 'customer', objectId };

/** The attributes of a customer that change what the next invoice charges. */
const AMOUNT_ATTRIBUTES = [
  'balance',
  'discount',
  'tax_exempt',
  'address',
  'shipping',
  'invoice_credit_balance',
];

const changesAmounts = (previous: object | undefined): boolean =>
  Object.keys(previous ?? {}).some((name) => AMOUNT_ATTRIBUTES.includes(name));

/**
 * The object to read for an event: for an invoice its subscription, for a charge, refund or dispute its payment. Null for
 * types that we do not handle, and when there is no such object, as for an invoice without a subscription.
 */
export function targetOf(event: Stripe.Event): EventTarget | null {
  switch (event.type) {
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
    case 'customer.subscription.paused':
    case 'customer.subscription.resumed':
    case 'customer.subscription.pending_update_applied':
    case 'customer.subscription.pending_update_expired':
      return subscription(event.data.object.id);
    case 'invoice.upcoming':
    case 'invoice.paid':
    case 'invoice.payment_failed':
    case 'invoice.payment_action_required':
    case 'invoice.voided':
    case 'invoice.marked_uncollectible':
      return subscription(idOf(event.data.object.parent?.subscription_details?.subscription));
    case 'payment_intent.succeeded':
    case 'payment_intent.payment_failed':
    case 'payment_intent.canceled':
      return payment(event.data.object.id);
    case 'charge.refunded':
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
      return payment(idOf(event.data.object.payment_intent));
    case 'checkout.session.completed':
    case 'checkout.session.expired':
      return { objectType: 'checkout.session', objectId: event.data.object.id };
    case 'subscription_schedule.created':
    case 'subscription_schedule.updated':
    case 'subscription_schedule.released':
    case 'subscription_schedule.canceled':
    case 'subscription_schedule.completed':
      return subscription(idOf(event.data.object.subscription ?? event.data.object.released_subscription));
    case 'customer.discount.created':
    case 'customer.discount.updated':
    case 'customer.discount.deleted':
      return customer(idOf(event.data.object.customer));
    case 'invoiceitem.created':
    case 'invoiceitem.deleted':
      return customer(idOf(event.data.object.customer));
    case 'customer.updated':
      return changesAmounts(event.data.previous_attributes) ? customer(event.data.object.id) : null;
    case 'customer.deleted':
      return customer(event.data.object.id);
    default:
      return null;
  }
}

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

/** The parser's error is not passed as the cause, because it quotes the body. */
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
