import { afterAll, beforeAll, expect, test } from 'vitest';
import { signPayload } from '../../../sandbox/stripe/events/signature';
import { startSandbox, type Sandbox } from '../../../sandbox/start-sandbox';
import { callApi, createApiFixture, type ApiFixture } from './api-fixture';
import { stripeVariables } from '../payments/payments-fixture';

let sandbox: Sandbox;
let fixture: ApiFixture;
beforeAll(async () => {
  sandbox = await startSandbox();
  fixture = await createApiFixture(stripeVariables(sandbox));
});
afterAll(async () => {
  await fixture.cleanup();
  await sandbox.close();
});

const PATH = '/api/webhooks/stripe';
const now = (): number => Math.floor(Date.now() / 1_000);

function eventOf(id: string, type = 'payment_intent.succeeded'): string {
  return JSON.stringify({
    id,
    object: 'event',
    api_version: '2026-10-28.endive',
    created: now(),
    livemode: false,
    type,
    data: { object: { id: 'pi_1', object: 'payment_intent', customer: 'cus_1' } },
  });
}

const post = (body: string | Uint8Array, signature?: string, headers: Record<string, string> = {}) =>
  callApi('POST', PATH, {
    bytes: typeof body === 'string' ? Buffer.from(body) : body,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      ...(signature === undefined ? {} : { 'Stripe-Signature': signature }),
      ...headers,
    },
  });

const storedIds = async (): Promise<string[]> => {
  const rows = await fixture.db.selectFrom('payment_events').select('stripe_event_id').execute();
  return rows.map((row) => row.stripe_event_id);
};

test('a signed event is stored once, however often and from wherever it is sent', async () => {
  const body = eventOf('evt_once');
  const answers = await Promise.all(
    Array.from({ length: 30 }, () =>
      // Stripe sends from its servers, with no origin, and no limit may refuse it.
      post(body, signPayload(body, now()), { 'X-Forwarded-For': '203.0.113.7' }),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(answers[0]?.body).toEqual({ success: true, received: true });
  const rows = await fixture.db.selectFrom('payment_events').selectAll().execute();
  expect(rows).toMatchObject([
    {
      stripe_event_id: 'evt_once',
      status: 'pending',
      object_type: 'payment_intent',
      object_id: 'pi_1',
      stripe_customer_id: 'cus_1',
      attempts: 0,
    },
  ]);
});

test('a missing, forged or old signature and an altered body are refused, and leave no row', async () => {
  const before = await storedIds();
  const body = eventOf('evt_bad');
  const good = signPayload(body, now());
  for (const [sent, signature] of [
    [body, undefined],
    [body, ''],
    [body, 'nonsense'],
    [body, signPayload(body, now(), 'whsec_forged')],
    [body, signPayload(body, now() - 302)],
    [body.replace('pi_1', 'pi_2'), good],
    [`${body} `, good],
    ['', good],
    ['not json', signPayload('not json', now())],
  ] as const) {
    const { status, body: answer } = await post(sent, signature);
    expect({ status, code: answer.code }).toEqual({ status: 400, code: 'invalid_signature' });
  }
  expect(await storedIds()).toEqual(before);
});

test('an event of a type that we do not handle is stored as ignored', async () => {
  const body = eventOf('evt_other', 'payment_intent.processing');
  expect((await post(body, signPayload(body, now()))).status).toBe(200);
  const row = await fixture.db
    .selectFrom('payment_events')
    .select('status')
    .where('stripe_event_id', '=', 'evt_other')
    .executeTakeFirst();
  expect(row).toEqual({ status: 'cancelled' });
});

test('a body of 1 MB is read, and a larger one refused with 413', async () => {
  const padded = (bytes: number): string => {
    const start = eventOf('evt_large').slice(0, -1);
    return `${start},"padding":"${'x'.repeat(bytes - start.length - 14)}"}`;
  };
  const full = padded(1024 * 1024);
  expect(Buffer.byteLength(full)).toBe(1024 * 1024);
  expect((await post(full, signPayload(full, now()))).status).toBe(200);
  const large = padded(1024 * 1024 + 1).replace('evt_large', 'evt_huge_');
  expect((await post(large, signPayload(large, now()))).status).toBe(413);
  expect(await storedIds()).not.toContain('evt_huge_');
});

test('a signed body that is no event is refused with 400 and leaves no row, and nothing of it is logged', async () => {
  const before = await storedIds();
  const whole = JSON.parse(eventOf('evt_part')) as Record<string, unknown>;
  const { data: _data, ...withoutData } = whole;
  const bodies: unknown[] = [
    ...[null, 7, 'text', true, [], [whole], {}],
    withoutData,
    ...[null, 7, 'text', [], {}, { object: null }, { object: 7 }, { object: 'pi_1' }, { object: [] }].map(
      (data) => ({ ...whole, data }),
    ),
    ...[undefined, null, 7, '', 'x'.repeat(300), {}].map((id) => ({ ...whole, id })),
    ...[undefined, null, 7, {}].map((type) => ({ ...whole, type })),
    ...[undefined, 'now', -1, 1.5, 1e300].map((created) => ({ ...whole, created })),
    { ...whole, livemode: undefined },
  ];
  for (const body of bodies) {
    const sent = JSON.stringify(body);
    const { status, body: answer } = await post(sent, signPayload(sent, now()));
    expect({ sent, status, code: answer.code }).toEqual({ sent, status: 400, code: 'invalid_event' });
    expect(answer).toMatchObject({ success: false });
  }
  expect(await storedIds()).toEqual(before);
});

test('an event with an odd object, of another API version or of an unknown type is stored as ignored', async () => {
  const whole = JSON.parse(eventOf('evt_odd')) as Record<string, unknown>;
  const odd = [
    { data: { object: {} } },
    { data: { object: { object: 'payment_intent', id: null, customer: 7 } } },
    { data: { object: { object: 'payment_intent', id: { deep: [] } } } },
    { data: { object: { object: 'payment_intent', id: 'x'.repeat(10_000) } } },
    { type: 'charge.refunded', data: { object: { id: 'ch_1', payment_intent: { id: 5 } } } },
    { type: 'invoice.paid', data: { object: { id: 'in_1', parent: 7 } } },
    {
      type: 'invoice.paid',
      data: { object: { id: 'in_1', subscription: 'sub_1' } },
      api_version: '2020-08-27',
    },
    { type: 'no.such.type', api_version: null },
    { type: 'constructor' },
  ];
  for (const [index, change] of odd.entries()) {
    const id = `evt_odd_${index}`;
    const sent = JSON.stringify({ ...whole, ...change, id });
    expect((await post(sent, signPayload(sent, now()))).status).toBe(200);
    const row = await fixture.db
      .selectFrom('payment_events')
      .select('status')
      .where('stripe_event_id', '=', id)
      .executeTakeFirst();
    expect({ change, row }).toEqual({ change, row: { status: 'cancelled' } });
  }
});
