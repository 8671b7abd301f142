import { z } from 'zod';
import { deliveryFaultSchema } from '../stripe/events/delivery-fault';
import { ID_PREFIXES, type Kind } from '../stripe/kinds';
import { apiFaultSchema } from '../stripe/rest/api-fault';
import { StripeError } from '../stripe/rest/stripe-error';
import type { StripeSandbox } from '../stripe/stripe';
import { checkInput, clearCommand, faultsCommand, getCommand, InvalidInput, type Command } from './command';

const MAX_ADVANCE_S = 10 * 366 * 24 * 3600;

const endpointSchema = z.strictObject({ url: z.url({ protocol: /^https?$/ }).nullable() });
const clockSchema = z
  .strictObject({
    seconds: z.int().min(0).max(MAX_ADVANCE_S).optional(),
    days: z.int().min(0).max(3_660).optional(),
  })
  .refine(({ seconds, days }) => seconds !== undefined || days !== undefined, 'give seconds or days');
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
const restrictedKeySchema = z.strictObject({
  permissions: z.array(z.string().regex(/^[a-z_]+_(read|write)$/)).max(50),
});
const challengeSchema = z.strictObject({ passed: z.boolean() });

/** The commands under `/control/stripe`. Amounts are pence; an id is of a charge or a payment intent. */
export function stripeCommands(stripe: StripeSandbox): Command[] {
  const commands: Command[] = [
    getCommand('/control/stripe', () => stripe.service.state()),
    {
      method: 'PUT',
      path: '/control/stripe/endpoint',
      run(value) {
        stripe.webhooks.setEndpoint(checkInput(endpointSchema, value).url);
        return { value: { url: stripe.webhooks.endpoint() } };
      },
    },
    {
      method: 'POST',
      path: '/control/stripe/clock',
      run(value) {
        const { seconds = 0, days = 0 } = checkInput(clockSchema, value);
        stripe.advance(seconds + days * 24 * 3600);
        return { value: { now: stripe.now() } };
      },
    },
    faultsCommand('/control/stripe/faults', apiFaultSchema, stripe),
    {
      method: 'PUT',
      path: '/control/stripe/webhooks',
      run(value) {
        stripe.webhooks.setMode(checkInput(webhooksSchema, value).mode);
        return { value: { mode: stripe.webhooks.mode() } };
      },
    },
    faultsCommand('/control/stripe/webhooks/faults', deliveryFaultSchema, stripe.webhooks),
    {
      method: 'POST',
      path: '/control/stripe/webhooks/send',
      run(value) {
        const { ids = stripe.webhooks.held().map(({ id }) => id), shuffle } = checkInput(sendSchema, value);
        const sent = shuffle ? shuffled(ids) : ids;
        stripe.webhooks.send(sent);
        return { value: { sent } };
      },
    },
    getCommand('/control/stripe/webhooks', () => ({
      endpoint: stripe.webhooks.endpoint(),
      mode: stripe.webhooks.mode(),
      held: stripe.webhooks.held().map(({ id }) => id),
      deliveries: stripe.webhooks.list(),
    })),
    getCommand('/control/stripe/events', () => ({ events: stripe.events() })),
    getCommand('/control/stripe/requests', () => ({ requests: stripe.requests() })),
    clearCommand('/control/stripe/requests', 'requests', stripe.clearRequests),
    {
      method: 'GET',
      path: '/control/stripe/objects/:kind',
      run(_value, { req }) {
        const kind = req.param('kind') ?? '';
        if (!Object.hasOwn(ID_PREFIXES, kind))
          return { status: 404, value: { message: `the kinds are ${Object.keys(ID_PREFIXES).join(', ')}` } };
        return { value: { objects: stripe.store.list(kind as Kind) } };
      },
    },
    {
      method: 'DELETE',
      path: '/control/stripe/objects/:kind',
      run(_value, { req }) {
        const id = req.param('kind') ?? '';
        return stripe.forget(id)
          ? { value: { forgotten: id } }
          : { status: 404, value: { message: `there is no object ${id}` } };
      },
    },
    {
      method: 'POST',
      path: '/control/stripe/keys',
      run: (value) => ({
        status: 201,
        value: { key: stripe.restrict(checkInput(restrictedKeySchema, value).permissions) },
      }),
    },
    {
      method: 'POST',
      path: '/control/stripe/refunds',
      run(value) {
        const { id, amount } = checkInput(refundSchema, value);
        return { status: 201, value: stripe.refund(id, amount) };
      },
    },
    {
      method: 'POST',
      path: '/control/stripe/disputes',
      run(value) {
        const { id, ...options } = checkInput(disputeSchema, value);
        return { status: 201, value: stripe.openDispute(id, options) };
      },
    },
    {
      method: 'PUT',
      path: '/control/stripe/disputes/:id',
      run: (value, { req }) => ({
        value: stripe.closeDispute(req.param('id') ?? '', checkInput(verdictSchema, value).status),
      }),
    },
    {
      method: 'PUT',
      path: '/control/stripe/challenges/:intent',
      run: (value, { req }) => ({
        value: stripe.finishChallenge(req.param('intent') ?? '', checkInput(challengeSchema, value).passed),
      }),
    },
  ];
  return commands.map((command) => ({ ...command, run: withInvalidInput(command.run) }));
}

/** Converts Stripe's refusals to invalid input, with Stripe's sentence. */
function withInvalidInput(run: Command['run']): Command['run'] {
  return (value, context) => {
    try {
      return run(value, context);
    } catch (error) {
      if (error instanceof StripeError) throw new InvalidInput(error.message);
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
