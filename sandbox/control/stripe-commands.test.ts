import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../start-sandbox';
import { stripeClient, type Json } from '../stripe/testing/clients';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.reset());

async function call(method: string, path: string, value?: unknown) {
  const response = await fetch(`${sandbox.origin}/control/stripe${path}`, {
    method,
    body: value === undefined ? undefined : JSON.stringify(value),
  });
  return { status: response.status, body: (await response.json()) as Json };
}

test('payments are challenged, refunded and disputed, and what happened is listed', async () => {
  const stripe = stripeClient(sandbox.origin);
  const pay = (card: string) =>
    stripe.paymentIntents.create({
      amount: 499,
      currency: 'gbp',
      payment_method: card,
      confirm: true,
      return_url: 'https://packwatch.test/',
    });
  const waiting = await pay('pm_card_authenticationRequired');
  expect((await call('PUT', `/challenges/${waiting.id}`, { passed: true })).body).toMatchObject({
    status: 'succeeded',
  });
  expect(await call('POST', '/refunds', { id: waiting.id, amount: 99 })).toMatchObject({
    status: 201,
    body: { amount: 99 },
  });
  expect(await call('POST', '/refunds', { id: waiting.id, amount: 401 })).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('greater than unrefunded') },
  });
  const dispute = (await call('POST', '/disputes', { id: waiting.id })).body;
  expect((await call('PUT', `/disputes/${String(dispute.id)}`, { status: 'lost' })).body).toMatchObject({
    amount: 400,
    status: 'lost',
  });
  expect((await call('GET', '/requests')).body.requests).toHaveLength(1);
  expect((await call('GET', '/objects/refund')).body.objects).toHaveLength(1);
  expect((await call('GET', '/objects/unicorn')).status).toBe(404);
  const { events } = (await call('GET', '/events')).body as { events: { type: string }[] };
  expect(events.at(-1)?.type).toBe('charge.dispute.closed');
});

test('the clock, the faults and the webhooks are set', async () => {
  const before = sandbox.stripe.now();
  const { body } = await call('POST', '/clock', { days: 30 });
  expect(Number(body.now) - before).toBeGreaterThanOrEqual(30 * 24 * 3600);
  expect((await call('POST', '/clock', {})).body.message).toContain('seconds or days');
  expect((await call('PUT', '/faults', { faults: [{ kind: 'hang' }] })).body.faults).toHaveLength(1);
  expect((await call('PUT', '/faults', { faults: [{ kind: 'status', status: 200 }] })).status).toBe(400);
  expect((await call('PUT', '/endpoint', { url: `${sandbox.origin}/nowhere` })).status).toBe(200);
  await call('PUT', '/webhooks', { mode: 'hold' });
  sandbox.stripe.setFaults([]);
  await stripeClient(sandbox.origin).customers.create();
  const sent = await call('POST', '/webhooks/send', { shuffle: true });
  expect(sent.body.sent).toHaveLength(1);
  await sandbox.stripe.webhooks.idle();
  expect((await call('GET', '/webhooks')).body.deliveries).toMatchObject([{ status: 404, attempt: 1 }]);
  expect((await call('POST', '/webhooks/send', { ids: ['evt_none'] })).status).toBe(400);
  await call('PUT', '/webhooks/faults', { faults: [{ kind: 'drop' }] });
  expect((await call('GET', '')).body).toMatchObject({ deliveryFaults: [{ kind: 'drop' }] });
  expect((await call('PUT', '/endpoint', { url: null })).body.url).toBeNull();
});
