import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../../start-sandbox';

const DAY = 86_400;
const SUCCEEDS = '4242 4242 4242 4242';
const DECLINED = '4000 0000 0000 0002';
const ASKS_ONCE = '4000 0025 0000 3155';
const ASKS_ALWAYS = '4000 0027 6000 3184';

let sandbox: Sandbox;
let stripe: Stripe;
let customer: string;
let price: string;

beforeAll(async () => {
  sandbox = await startSandbox();
  const { hostname, port } = new URL(sandbox.stripeApiUrl);
  stripe = new Stripe(sandbox.stripeSecretKey, {
    protocol: 'http',
    host: hostname,
    port,
    maxNetworkRetries: 0,
  });
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  sandbox.reset();
  customer = (await stripe.customers.create({ email: 'ann@example.test' })).id;
  const product = await stripe.products.create({ name: 'Pro Monthly' });
  const made = await stripe.prices.create({
    product: product.id,
    currency: 'gbp',
    unit_amount: 999,
    recurring: { interval: 'day', interval_count: 30 },
  });
  price = made.id;
});

/** Submits a hosted page's form and returns the status, where it leads, and the page's text. */
async function submit(url: string, fields: Record<string, string>) {
  const response = await fetch(new URL(url, sandbox.origin), {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
  });
  return { status: response.status, to: response.headers.get('location'), text: await response.text() };
}

async function show(url: string) {
  const response = await fetch(new URL(url, sandbox.origin), { redirect: 'manual' });
  return { status: response.status, to: response.headers.get('location'), text: await response.text() };
}

const card = (number: string) => ({ intent: 'card', number, expiry: '12 / 34', cvc: '123' });

const buyTokens = () =>
  stripe.checkout.sessions.create({
    mode: 'payment',
    customer,
    success_url: 'http://shop.test/done?session={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://shop.test/back',
    line_items: [
      { price_data: { currency: 'gbp', unit_amount: 499, product_data: { name: '50 tokens' } }, quantity: 1 },
    ],
  });

const subscribe = () =>
  stripe.checkout.sessions.create({
    mode: 'subscription',
    customer,
    success_url: 'http://shop.test/done',
    line_items: [{ price, quantity: 1 }],
  });

test('Checkout shows what is bought and the way back, says why a card is declined, and leads on when it is paid', async () => {
  const session = await buyTokens();
  const page = await show(session.url ?? '');
  expect(page.text).toContain('50 tokens');
  expect(page.text).toContain('£4.99');
  expect(page.text).toContain('href="http://shop.test/back"');
  expect(page.text).toContain('Sandbox: this page stands in for Stripe’s.');

  const declined = await submit(session.url ?? '', card(DECLINED));
  expect([declined.status, declined.text]).toEqual([402, expect.stringContaining('Your card was declined.')]);
  const unfinished = await submit(session.url ?? '', { ...card(SUCCEEDS), expiry: '1' });
  expect(unfinished.text).toContain('expiration date is incomplete');

  const success = `http://shop.test/done?session=${session.id}`;
  expect(await submit(session.url ?? '', card(SUCCEEDS))).toMatchObject({ status: 303, to: success });
  expect(await submit(session.url ?? '', card(SUCCEEDS))).toMatchObject({ status: 303, to: success });
  expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
    status: 'complete',
    payment_status: 'paid',
  });
  expect((await stripe.charges.list({ customer })).data.filter(({ paid }) => paid)).toHaveLength(1);
  expect((await show(session.url ?? '')).text).toContain('You have already paid.');
});

test('Checkout leads to the bank, back with a sentence when the bank refuses, and on when it agrees', async () => {
  const session = await subscribe();
  expect((await show(session.url ?? '')).text).toContain('Renews every 30 days until you cancel.');
  const asked = await submit(session.url ?? '', card(ASKS_ONCE));
  expect(asked.status).toBe(303);
  expect((await show(asked.to ?? '')).text).toContain('do you pay £9.99 with this card?');
  const refused = await submit(asked.to ?? '', { outcome: 'fail' });
  expect((await show(refused.to ?? '')).text).toContain('We are unable to authenticate your payment method.');

  const again = await submit(session.url ?? '', card(ASKS_ONCE));
  const agreed = await submit(again.to ?? '', { outcome: 'complete' });
  expect(await show(agreed.to ?? '')).toMatchObject({ status: 303, to: 'http://shop.test/done' });
  const { subscription } = await stripe.checkout.sessions.retrieve(session.id);
  expect(await stripe.subscriptions.retrieve(String(subscription))).toMatchObject({ status: 'active' });

  // The card was confirmed for later payments.
  sandbox.stripe.advance(31 * DAY);
  expect(await stripe.subscriptions.retrieve(String(subscription))).toMatchObject({ status: 'active' });
});

test('a renewal that needs a confirmation is paid on the hosted invoice', async () => {
  const session = await subscribe();
  const asked = await submit(session.url ?? '', card(ASKS_ALWAYS));
  await submit(asked.to ?? '', { outcome: 'complete' });
  sandbox.stripe.advance(30 * DAY + 2 * 3_600);
  const [invoice] = (await stripe.invoices.list({ customer, status: 'open' })).data;
  const url = invoice?.hosted_invoice_url ?? '';
  expect((await show(url)).text).toContain('Visa •••• 3184');

  const confirm = await submit(url, { intent: 'stored' });
  expect(confirm.status).toBe(303);
  const paid = await submit(confirm.to ?? '', { outcome: 'complete' });
  expect((await show(paid.to ?? '')).text).toContain('This invoice is paid.');
  const [subscription] = (await stripe.subscriptions.list({ customer })).data;
  expect(subscription).toMatchObject({ status: 'active' });
});

test('the portal changes the card for renewals, asks the bank first, lists invoices and leads back', async () => {
  await submit((await subscribe()).url ?? '', card(SUCCEEDS));
  const portal = await stripe.billingPortal.sessions.create({
    customer,
    return_url: 'http://shop.test/plan',
  });
  const page = await show(portal.url);
  expect(page.text).toContain('Visa •••• 4242');
  expect(page.text).toContain('href="http://shop.test/plan"');
  expect(page.text).toMatch(/paid<\/td>\s*<td>£9\.99/);

  expect((await submit(portal.url, card(DECLINED))).text).toContain('Your card was declined.');
  const asked = await submit(portal.url, card(ASKS_ONCE));
  expect((await show(asked.to ?? '')).text).toContain('may the shop charge Visa •••• 3155');
  expect((await submit(asked.to ?? '', { outcome: 'fail' })).text).toContain('unable to authenticate');
  const saved = await submit(asked.to ?? '', { outcome: 'complete' });
  expect((await show(saved.to ?? '')).text).toMatch(/Your card is changed\.[\s\S]*Visa •••• 3155/);
  sandbox.stripe.advance(31 * DAY);
  const [subscription] = (await stripe.subscriptions.list({ customer })).data;
  expect(subscription).toMatchObject({ status: 'active' });
});

test('a page that does not exist says so', async () => {
  for (const path of ['/c/pay/cs_test_nothing', '/i/acct_sandbox/in_nothing', '/p/session/bps_nothing'])
    expect(await show(path)).toMatchObject({ status: 404, text: expect.stringContaining('No such') });
});
