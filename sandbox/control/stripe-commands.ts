import { z } from 'zod';
import { deliveryFaultSchema } from '../stripe/events/delivery-fault';
import { ID_PREFIXES, type Kind } from '../stripe/kinds';
import { apiFaultSchema } from '../stripe/rest/api-fault';
import { StripeError } from '../stripe/rest/stripe-error';
import type { StripeSandbox } from '../stripe/stripe';
import type { Command } from './command';
import { checkOrder, UnreadableOrder } from './read-order';

const MAX_ADVANCE_S = 10 * 366 * 24 * 3600;

const endpointSchema = z.strictObject({ url: z.url({ protocol: /^https?$/ }).nullable() });
const clockSchema = z
  .strictObject({
    seconds: z.int().min(0).max(MAX_ADVANCE_S).optional(),
    days: z.int().min(0).max(3_660).optional(),
  })
  .refine(({ seconds, days }) => seconds !== undefined || days !== undefined, 'give seconds or days');
const apiFaultsSchema = z.strictObject({ faults: z.array(apiFaultSchema).max(1_000) });
const deliveryFaultsSchema = z.strictObject({ faults: z.array(deliveryFaultSchema).max(1_000) });
const webhooksSchema = z.strictObject({ mode: z.enum(['send', 'hold']) });
const sendSchema = z.strictObject({
  /** Absent: all held events. */
  ids: z.array(z.string()).max(10_000).optional(),
  shuffle: z.boolean().optional(),
});
const refundSchema = z.strictObject({ id: z.string(), amount: z.int().min(1).optional() });
const disputeSchema = z.strictObject({
  id: z.string(),
  reason: z.string().max(60).optional(),
  amount: z.int().min(1).optional(),
});
const verdictSchema = z.strictObject({ status: z.enum(['won', 'lost']) });
const challengeSchema = z.strictObject({ passed: z.boolean() });

/** The commands under `/control/stripe`. Amounts are pence; an id is of a charge or a payment intent. */
export function stripeCommands(stripe: StripeSandbox): Command[] {
  const commands: Command[] = [
    { method: 'GET', pattern: '/control/stripe', run: () => ({ value: stripe.service.state() }) },
    {
      method: 'PUT',
      pattern: '/control/stripe/endpoint',
      run(value) {
        stripe.webhooks.setEndpoint(checkOrder(endpointSchema, value).url);
        return { value: { url: stripe.webhooks.endpoint() } };
      },
    },
    {
      method: 'POST',
      pattern: '/control/stripe/clock',
      run(value) {
        const { seconds = 0, days = 0 } = checkOrder(clockSchema, value);
        stripe.advance(seconds + days * 24 * 3600);
        return { value: { now: stripe.now() } };
      },
    },
    {
      method: 'PUT',
      pattern: '/control/stripe/faults',
      run(value) {
        stripe.setFaults(checkOrder(apiFaultsSchema, value).faults);
        return { value: { faults: stripe.faults() } };
      },
    },
    {
      method: 'PUT',
      pattern: '/control/stripe/webhooks',
      run(value) {
        stripe.webhooks.setMode(checkOrder(webhooksSchema, value).mode);
        return { value: { mode: stripe.webhooks.mode() } };
      },
    },
    {
      method: 'PUT',
      pattern: '/control/stripe/webhooks/faults',
      run(value) {
        stripe.webhooks.setFaults(checkOrder(deliveryFaultsSchema, value).faults);
        return { value: { faults: stripe.webhooks.faults() } };
      },
    },
    {
      method: 'POST',
      pattern: '/control/stripe/webhooks/send',
      run(value) {
        const { ids = stripe.webhooks.held().map(({ id }) => id), shuffle } = checkOrder(sendSchema, value);
        const order = shuffle ? shuffled(ids) : ids;
        stripe.webhooks.send(order);
        return { value: { sent: order } };
      },
    },
    {
      method: 'GET',
      pattern: '/control/stripe/webhooks',
      run: () => ({
        value: {
          endpoint: stripe.webhooks.endpoint(),
          mode: stripe.webhooks.mode(),
          held: stripe.webhooks.held().map(({ id }) => id),
          deliveries: stripe.webhooks.list(),
        },
      }),
    },
    {
      method: 'GET',
      pattern: '/control/stripe/events',
      run: () => ({ value: { events: stripe.events() } }),
    },
    {
      method: 'GET',
      pattern: '/control/stripe/requests',
      run: () => ({ value: { requests: stripe.requests() } }),
    },
    {
      method: 'DELETE',
      pattern: '/control/stripe/requests',
      run() {
        stripe.clearRequests();
        return { value: { requests: [] } };
      },
    },
    {
      method: 'GET',
      pattern: '/control/stripe/objects/:kind',
      run(_value, { req }) {
        const kind = req.param('kind') ?? '';
        if (!Object.hasOwn(ID_PREFIXES, kind))
          return { status: 404, value: { message: `the kinds are ${Object.keys(ID_PREFIXES).join(', ')}` } };
        return { value: { objects: stripe.store.list(kind as Kind) } };
      },
    },
    {
      method: 'POST',
      pattern: '/control/stripe/refunds',
      run(value) {
        const { id, amount } = checkOrder(refundSchema, value);
        return { status: 201, value: stripe.refund(id, amount) };
      },
    },
    {
      method: 'POST',
      pattern: '/control/stripe/disputes',
      run(value) {
        const { id, ...options } = checkOrder(disputeSchema, value);
        return { status: 201, value: stripe.openDispute(id, options) };
      },
    },
    {
      method: 'PUT',
      pattern: '/control/stripe/disputes/:id',
      run: (value, { req }) => ({
        value: stripe.closeDispute(req.param('id') ?? '', checkOrder(verdictSchema, value).status),
      }),
    },
    {
      method: 'PUT',
      pattern: '/control/stripe/challenges/:intent',
      run: (value, { req }) => ({
        value: stripe.finishChallenge(req.param('intent') ?? '', checkOrder(challengeSchema, value).passed),
      }),
    },
  ];
  return commands.map((command) => ({ ...command, run: refusing(command.run) }));
}

/** Answers what Stripe would refuse with a 400 and its sentence. */
function refusing(run: Command['run']): Command['run'] {
  return (value, exchange) => {
    try {
      return run(value, exchange);
    } catch (error) {
      if (error instanceof StripeError) throw new UnreadableOrder(error.message);
      throw error;
    }
  };
}

function shuffled<T>(values: readonly T[]): T[] {
  return values
    .map((value) => ({ value, order: Math.random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ value }) => value);
}
