import fc from 'fast-check';
import type Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, itemOf, startBillingShop, type BillingShop } from '../testing/billing-shop';

let shop: BillingShop;
let stripe: Stripe;

beforeAll(async () => {
  shop = await startBillingShop();
  stripe = shop.stripe;
});
afterAll(() => shop.sandbox.close());

type Step =
  | { kind: 'wait'; seconds: number }
  | { kind: 'change'; plan: keyof BillingShop['plans'] }
  | { kind: 'card'; id: string }
  | { kind: 'pay' };

const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 45 * DAY }) }),
    fc.record({ kind: fc.constant('change' as const), plan: fc.constantFrom('monthly', 'pro', 'yearly') }),
    fc.record({
      kind: fc.constant('card' as const),
      id: fc.constantFrom('pm_card_visa', 'pm_card_chargeCustomerFail', 'pm_card_authenticationRequired'),
    }),
    fc.record({ kind: fc.constant('pay' as const) }),
  ),
  { minLength: 1, maxLength: 8 },
) as fc.Arbitrary<Step[]>;

/** Plays one step. Refusals by card or state are part of a history. */
async function play(id: string, step: Step): Promise<void> {
  const subscription = await stripe.subscriptions.retrieve(id);
  const customer = String(subscription.customer);
  if (step.kind === 'wait') shop.sandbox.stripe.advance(step.seconds);
  else if (step.kind === 'card') {
    const method = await stripe.paymentMethods.attach(step.id, { customer });
    if (subscription.status !== 'canceled')
      await stripe.subscriptions.update(id, { default_payment_method: method.id });
  } else if (step.kind === 'pay') {
    const [open] = (await stripe.invoices.list({ customer, status: 'open' })).data;
    if (open) await stripe.invoices.pay(open.id).catch(() => {});
  } else if (subscription.status === 'active' || subscription.status === 'past_due')
    await changeAsQuoted(subscription, shop.plans[step.plan].id);
}

/** A change charges what its preview said, or nothing at all. */
async function changeAsQuoted(subscription: Stripe.Subscription, price: string): Promise<void> {
  const terms = {
    items: [{ id: itemOf(subscription).id, price }],
    proration_behavior: 'always_invoice' as const,
    proration_date: shop.now(),
  };
  if (price === itemOf(subscription).price.id) return;
  // An update drops a pending one, whose void invoice gives back the credit it used: the preview does not see that.
  if (subscription.pending_update) await stripe.invoices.voidInvoice(String(subscription.latest_invoice));
  const quote = await stripe.invoices.createPreview({
    subscription: subscription.id,
    subscription_details: terms,
  });
  const changed = await stripe.subscriptions.update(subscription.id, {
    ...terms,
    payment_behavior: 'pending_if_incomplete',
    expand: ['latest_invoice'],
  });
  const invoice = changed.latest_invoice as Stripe.Invoice;
  expect([invoice.total, invoice.amount_due]).toEqual([quote.total, quote.amount_due]);
  expect(itemOf(changed).price.id === price).toBe(invoice.status === 'paid');
}

test('in any history the payments, the credit and the invoices agree to the penny', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      await shop.reset();
      const subscription = await shop.startActive();
      for (const step of history) await play(subscription.id, step);
      const customer = String(subscription.customer);
      const all = await stripe.invoices.list({ customer, limit: 100 }).autoPagingToArray({ limit: 1000 });
      const final = all.filter(({ status }) => status === 'open' || status === 'paid');
      const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
      expect(await shop.balanceOf(subscription)).toBe(
        sum(final.map(({ total, amount_due }) => total - amount_due)),
      );
      const charges = await stripe.charges.list({ customer, limit: 100 }).autoPagingToArray({ limit: 1000 });
      expect(sum(charges.filter(({ paid }) => paid).map(({ amount }) => amount))).toBe(
        sum(all.map(({ amount_paid }) => amount_paid)),
      );
      for (const { lines, amount_due: due } of all)
        expect([...lines.data.map(({ amount }) => amount), due].every(Number.isInteger)).toBe(true);
    }),
    { numRuns: 40 },
  );
});
