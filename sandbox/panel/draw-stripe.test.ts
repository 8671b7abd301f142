import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../start-sandbox';

let sandbox: Sandbox;
let stripe: Stripe;

beforeAll(async () => {
  sandbox = await startSandbox();
  const { hostname, port } = new URL(sandbox.origin);
  stripe = new Stripe(sandbox.stripeSecretKey, {
    protocol: 'http',
    host: hostname,
    port,
    maxNetworkRetries: 0,
    telemetry: false,
  });
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.reset());

/** The text of the panel's part for Stripe, without markup. */
async function shown(): Promise<string> {
  const page = await (await fetch(sandbox.origin)).text();
  const part = page.slice(page.indexOf('id="stripe"'), page.indexOf('class="pair"'));
  return part
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Submits the form of a button as a browser without scripts does. */
async function press(id: string): Promise<void> {
  const page = await (await fetch(sandbox.origin)).text();
  const form = page
    .split('<form')
    .find((part) => part.slice(0, part.indexOf('</form>')).includes(`id="${id}"`));
  if (form === undefined) throw new Error(`the panel has no button ${id}`);
  const text = form.slice(0, form.indexOf('</form>'));
  const decode = (value: string) => value.replaceAll('&quot;', '"');
  const fields = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, decode(value)],
  );
  const own = new RegExp(`id="${id}"\\s+name="([^"]+)"\\s+value="([^"]*)"`).exec(text);
  if (own) fields.push([own[1] ?? '', decode(own[2] ?? '')]);
  const action = /action="([^"]+)"/.exec(text)?.[1] ?? '';
  const response = await fetch(new URL(action, sandbox.origin), {
    method: 'POST',
    body: new URLSearchParams(fields as [string, string][]),
    redirect: 'manual',
  });
  expect([response.status, response.headers.get('location')]).toEqual([303, '/']);
}

test('a subscription is shown with its state, and the clock moves to its renewal', async () => {
  const { id: customer } = await stripe.customers.create({ email: 'ann@example.test' });
  await stripe.paymentMethods
    .attach('pm_card_visa', { customer })
    .then((method) =>
      stripe.customers.update(customer, { invoice_settings: { default_payment_method: method.id } }),
    );
  const product = await stripe.products.create({ name: 'Pro Monthly' });
  const price = await stripe.prices.create({
    product: product.id,
    currency: 'gbp',
    unit_amount: 999,
    recurring: { interval: 'day', interval_count: 30 },
  });
  await stripe.subscriptions.create({ customer, items: [{ price: price.id }] });
  expect(await shown()).toMatch(/1 customer .*ann@example\.test £9\.99 active .* £9\.99 paid/);

  expect(await shown()).toMatch(/ann@example\.test cus_\w+ .*•••• 4242/);

  await press('stripe-renewal');
  expect((await stripe.invoices.list({ customer, status: 'paid' })).data).toHaveLength(2);
  expect(await shown()).toContain('30 days ahead');
  await press('stripe-day');
  expect(await shown()).toContain('31 days ahead');
  await press('reset');
  expect(await shown()).toMatch(/0 customers .*as here .*There is no subscription/);
});

test('a payment is refunded in part, disputed and won back', async () => {
  const { id } = await stripe.paymentIntents.create({
    amount: 499,
    currency: 'gbp',
    payment_method: 'pm_card_visa',
    confirm: true,
    return_url: 'http://shop.test',
  });
  await press(`refund-part-${id}`);
  expect(await shown()).toContain('succeeded, £2.49 refunded');
  await press(`dispute-${id}`);
  expect(await shown()).toContain('dispute needs_response');
  await press(`win-${id}`);
  expect(await shown()).toContain('dispute won');
});

test('events are held back, sent and sent again, and faults are set', async () => {
  sandbox.stripe.webhooks.setEndpoint(`${sandbox.origin}/nowhere`);
  await press('stripe-hold');
  await stripe.customers.create({});
  expect(await shown()).toContain('customer.created held back');
  await press('stripe-send');
  await sandbox.stripe.webhooks.idle();
  expect(await shown()).toContain('customer.created answered 404');
  await press(`send-${sandbox.stripe.events()[0]?.id}`);
  await sandbox.stripe.webhooks.idle();
  expect(await shown()).toContain('of 2 sent');
  await press('fault-stripe-0');
  await expect(stripe.customers.list()).rejects.toMatchObject({ statusCode: 500 });
  await press('fault-stripe-events-0');
  expect(sandbox.stripe.webhooks.faults()).toMatchObject([{ kind: 'drop' }]);
  sandbox.stripe.webhooks.setEndpoint(null);
});
