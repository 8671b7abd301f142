import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../../start-sandbox';
import { WEBHOOK_SECRET } from '../keys';
import { stripeClient } from '../testing/clients';

let sandbox: Sandbox;
let stripe: Stripe;
let endpoint: Server;
let status: number;
let received: { body: string; signature: string }[];

beforeAll(async () => {
  sandbox = await startSandbox();
  stripe = stripeClient(sandbox.origin);
  endpoint = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({
        body: Buffer.concat(chunks).toString(),
        signature: String(request.headers['stripe-signature']),
      });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
  sandbox.stripe.webhooks.setEndpoint(`http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/hook`);
});
afterAll(async () => {
  await sandbox.close();
  endpoint.closeAllConnections();
  endpoint.close();
});
beforeEach(() => {
  sandbox.reset();
  received = [];
  status = 200;
});

const parse = ({ body, signature }: { body: string; signature: string }) =>
  stripe.webhooks.constructEvent(body, signature, WEBHOOK_SECRET);
const types = () => received.map((delivery) => parse(delivery).type);

test('an event arrives signed, and the API lists the same one', async () => {
  const customer = await stripe.customers.create({ name: 'Ash' }, { idempotencyKey: 'customer-1' });
  await sandbox.stripe.webhooks.idle();
  const event = parse(received[0]!);
  expect(event).toMatchObject({
    type: 'customer.created',
    api_version: '2026-10-28.endive',
    data: { object: { id: customer.id, name: 'Ash' } },
    request: { idempotency_key: 'customer-1' },
  });
  await stripe.customers.update(customer.id, { name: 'Misty' });
  await sandbox.stripe.webhooks.idle();
  expect(parse(received[1]!).data.previous_attributes).toEqual({ name: 'Ash' });
  const list = await stripe.events.list({ types: ['customer.created', 'charge.*'] });
  expect(list.data).toEqual([
    expect.objectContaining({
      id: event.id,
      pending_webhooks: 0,
      data: expect.objectContaining({ object: expect.objectContaining({ name: 'Ash' }) }),
    }),
  ]);
});

test('an endpoint that fails gets the event again, later and later, until it answers', async () => {
  status = 500;
  await stripe.customers.create();
  await sandbox.stripe.webhooks.idle();
  for (const wait of [5, 30]) {
    sandbox.stripe.advance(wait);
    await sandbox.stripe.webhooks.idle();
  }
  expect((await stripe.events.list({ delivery_success: false })).data).toHaveLength(1);
  status = 200;
  sandbox.stripe.advance(300);
  await sandbox.stripe.webhooks.idle();
  sandbox.stripe.advance(3 * 24 * 3600);
  await sandbox.stripe.webhooks.idle();
  expect(sandbox.stripe.webhooks.list().map((delivery) => [delivery.attempt, delivery.status])).toEqual([
    [1, 500],
    [2, 500],
    [3, 500],
    [4, 200],
  ]);
  expect((await stripe.events.list({ delivery_success: false })).data).toEqual([]);
});

test('events are lost, doubled, delayed, forged and aged on request', async () => {
  sandbox.stripe.webhooks.setFaults([
    { kind: 'drop' },
    { kind: 'duplicate' },
    { kind: 'forge' },
    { kind: 'late-signature', seconds: 301 },
    { kind: 'delay', ms: 1 },
  ]);
  const names = ['lost', 'twice', 'forged', 'old', 'late'];
  for (const name of names) {
    await stripe.customers.create({ name });
    await sandbox.stripe.webhooks.idle();
  }
  await expect.poll(() => received).toHaveLength(5);
  const nameOf = ({ body }: { body: string }) => JSON.parse(body).data.object.name as string;
  expect(received.map(nameOf)).toEqual(['twice', 'twice', 'forged', 'old', 'late']);
  const verdicts = received.map((delivery) => {
    try {
      return parse(delivery).type;
    } catch (error) {
      return error instanceof Stripe.errors.StripeSignatureVerificationError ? 'refused' : error;
    }
  });
  expect(verdicts).toEqual([
    'customer.created',
    'customer.created',
    'refused',
    'refused',
    'customer.created',
  ]);
});

test('held events are sent in the order that a test chooses, and any event again', async () => {
  sandbox.stripe.webhooks.setMode('hold');
  const customer = await stripe.customers.create();
  await stripe.customers.del(customer.id);
  const [created, deleted] = sandbox.stripe.webhooks.held();
  sandbox.stripe.webhooks.send([deleted!.id]);
  await sandbox.stripe.webhooks.idle();
  sandbox.stripe.webhooks.send([created!.id]);
  await sandbox.stripe.webhooks.idle();
  sandbox.stripe.webhooks.send([deleted!.id]);
  await sandbox.stripe.webhooks.idle();
  expect(types()).toEqual(['customer.deleted', 'customer.created', 'customer.deleted']);
  expect(() => sandbox.stripe.webhooks.send(['evt_none'])).toThrow('no event has the id evt_none');
});

test('the test clock moves forward and dates what happens', async () => {
  const before = sandbox.stripe.now();
  sandbox.stripe.advance(365 * 24 * 3600);
  const customer = await stripe.customers.create();
  expect(customer.created - before).toBeGreaterThanOrEqual(365 * 24 * 3600);
  expect(() => sandbox.stripe.advance(-1)).toThrow('whole seconds');
});
