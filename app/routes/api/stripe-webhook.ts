import { z } from 'zod';
import { storeEvent } from '#shared/billing/store-event.server';
import { DomainError } from '#shared/errors';
import { toDue } from '#shared/outbox/define-outbox';
import { requireStripe } from '#shared/payments/payments-context';
import { enqueueDue } from '#shared/queues/enqueue';
import { call } from '~/http/api/call.server';
import { endpoint } from '~/http/api/endpoint.server';
import { readBody } from '~/http/forms/read-body.server';
import { HttpRefusal } from '~/http/server/failures.server';
import { serverContext } from '~/http/server/context.server';

const BODY_LIMIT_BYTES = 1024 * 1024;
const REFUSED = new Set(['invalid_signature', 'invalid_event']);

/** Stores the event; its job applies it. Stripe waits for the answer and repeats the event without one. */
async function receive(request: Request): Promise<{ received: true }> {
  const { payments, queues, clock } = serverContext();
  requireStripe(payments);
  const body = await readBody(request, BODY_LIMIT_BYTES);
  const signature = request.headers.get('stripe-signature') ?? '';
  const row = await storeEvent(payments, { body, signature }).catch((error: unknown) => {
    if (!(error instanceof DomainError) || !REFUSED.has(error.code)) throw error;
    const { code, message } = error;
    throw new HttpRefusal({ status: 400, code, message });
  });
  if (row !== null && queues?.isReady() === true)
    // Without Redis the daemon's sweep finds the row.
    enqueueDue(queues, 'payments', [toDue(row)], clock.now()).catch(() => undefined);
  return { received: true };
}

const stripeWebhook = endpoint(
  { name: 'webhooks', description: 'Events that Stripe sends' },
  {
    'POST /api/webhooks/stripe': call({
      id: 'receiveStripeEvent',
      summary: 'Receives an event of Stripe',
      description:
        'The body is an event as Stripe sends it, at most 1 MB, signed in the header Stripe-Signature. Fails with 400 when the signature is missing, wrong or older than five minutes, or the body is not an event. Each event is applied once.',
      access: 'public',
      response: z.object({ received: z.literal(true) }),
      failures: [400, 413, 415, 503],
      example: { response: { received: true } },
      run: ({ request }) => receive(request),
    }),
  },
);

export const loader = stripeWebhook;
export const action = stripeWebhook;
