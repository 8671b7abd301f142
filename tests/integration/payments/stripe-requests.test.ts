import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listAdoptable } from '#shared/billing/adopt.server';
import { reconcileActive, reconcilePending } from '#shared/billing/reconcile.server';
import { toIso } from '#shared/clock';
import type { Payer } from '#shared/payments/payments-context';
import { finishDeletions } from '#shared/personal-data/finish-deletions.server';
import { createKeyring } from '#shared/secrets.server';
import { changePlan, previewPlanChange } from '#shared/subscriptions/change-plan.server';
import { openPortal } from '#shared/subscriptions/manage-subscription.server';
import {
  startSubscription,
  startSubscriptionCheckout,
} from '#shared/subscriptions/start-subscription.server';
import { checkParameters } from '../../../sandbox/stripe/rest/check-parameters';
import { permissionsFor } from '../../../sandbox/stripe/rest/permissions';
import { take, type HistoryStep } from './payment-history';
import { createStripeInProcess, type StripeInProcess } from './stripe-in-process';

const ROOT = join(import.meta.dirname, '../../..');

/** Every method of the SDK that the product calls, with the request that it sends. */
const REQUESTS: Record<string, string> = {
  'accounts.retrieveCurrent': 'GET /v1/account',
  'billingPortal.sessions.create': 'POST /v1/billing_portal/sessions',
  'checkout.sessions.create': 'POST /v1/checkout/sessions',
  'checkout.sessions.expire': 'POST /v1/checkout/sessions/:session/expire',
  'checkout.sessions.retrieve': 'GET /v1/checkout/sessions/:session',
  'customers.create': 'POST /v1/customers',
  'customers.del': 'DELETE /v1/customers/:customer',
  'customers.list': 'GET /v1/customers',
  'customers.retrieve': 'GET /v1/customers/:customer',
  'customers.search': 'GET /v1/customers/search',
  'disputes.list': 'GET /v1/disputes',
  'events.list': 'GET /v1/events',
  'invoicePayments.list': 'GET /v1/invoice_payments',
  'invoices.createPreview': 'POST /v1/invoices/create_preview',
  'invoices.list': 'GET /v1/invoices',
  'invoices.retrieve': 'GET /v1/invoices/:invoice',
  'invoices.voidInvoice': 'POST /v1/invoices/:invoice/void',
  'paymentIntents.cancel': 'POST /v1/payment_intents/:intent/cancel',
  'paymentIntents.create': 'POST /v1/payment_intents',
  'paymentIntents.list': 'GET /v1/payment_intents',
  'paymentIntents.retrieve': 'GET /v1/payment_intents/:intent',
  'prices.create': 'POST /v1/prices',
  'prices.list': 'GET /v1/prices',
  'prices.retrieve': 'GET /v1/prices/:price',
  'products.create': 'POST /v1/products',
  'products.retrieve': 'GET /v1/products/:id',
  'refunds.list': 'GET /v1/refunds',
  'subscriptionSchedules.release': 'POST /v1/subscription_schedules/:schedule/release',
  'subscriptions.cancel': 'DELETE /v1/subscriptions/:subscription',
  'subscriptions.create': 'POST /v1/subscriptions',
  'subscriptions.list': 'GET /v1/subscriptions',
  'subscriptions.retrieve': 'GET /v1/subscriptions/:subscription',
  'subscriptions.update': 'POST /v1/subscriptions/:subscription',
};

/** The methods that only tests and the demo members call, who act as customers and as Stripe's dashboard. */
const REQUESTS_OF_TESTS: Record<string, string> = {
  'charges.list': 'GET /v1/charges',
  'checkout.sessions.list': 'GET /v1/checkout/sessions',
  'customers.update': 'POST /v1/customers/:customer',
  'invoices.pay': 'POST /v1/invoices/:invoice/pay',
  'paymentIntents.confirm': 'POST /v1/payment_intents/:intent/confirm',
  'paymentMethods.attach': 'POST /v1/payment_methods/:method/attach',
  'prices.update': 'POST /v1/prices/:price',
  'subscriptionSchedules.create': 'POST /v1/subscription_schedules',
  'subscriptionSchedules.update': 'POST /v1/subscription_schedules/:schedule',
  'subscriptions.pause': 'POST /v1/subscriptions/:subscription/pause',
  'subscriptions.resume': 'POST /v1/subscriptions/:subscription/resume',
};

/** The request that only the script in place of Stripe.js sends (sandbox/stripe/browser/element-script.ts). */
const REQUEST_OF_SCRIPT = 'POST /v1/payment_methods';

/** A request, with one name for the variables of its path. */
const nameOf = (request: string): string => request.replaceAll(/:\w+/g, ':id');

/** The permissions of a restricted key, as Stripe's dashboard names them. */
const PERMISSIONS: Record<string, string> = {
  'Charges and Refunds': 'charge',
  'Checkout Sessions': 'checkout_session',
  'Customer portal': 'customer_portal',
  Customers: 'customer',
  Disputes: 'dispute',
  Events: 'event',
  Invoices: 'invoice',
  'Payment Intents': 'payment_intent',
  Prices: 'plan',
  Products: 'product',
  Subscriptions: 'subscription',
};

/** The permissions that the operators’ guide asks for, such as `customer_write`. */
function permissionsOfGuide(): string[] {
  const guide = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8');
  const [, write = '', read = ''] =
    /needs these permissions\. Write: ([^.]+)\. Read: ([^.]+)\./.exec(guide) ?? [];
  const named = (list: string, access: string) =>
    list.split(', ').map((row) => `${PERMISSIONS[row] ?? row}_${access}`);
  return [...named(write, 'write'), ...named(read, 'read')].sort();
}

let world: StripeInProcess;
beforeAll(async () => {
  world = await createStripeInProcess({ permissions: permissionsOfGuide() });
});
afterAll(() => world.cleanup());

/** The SDK's methods in files of code. */
function calledMethods(files: string[]): string[] {
  const calls = files
    // The storage has a client of S3.
    .filter((file) => !file.includes('/storage/'))
    .flatMap((file) => {
      const text = readFileSync(join(ROOT, file), 'utf8').replaceAll(/\s*\.\s*/g, '.');
      return [...text.matchAll(/\b(?:client|stripe)\.((?:[a-zA-Z]+\.){1,2}[a-zA-Z]+)\(/g)].map(
        ([, name = '']) => name,
      );
    });
  return [...new Set(calls)].filter((name) => !name.startsWith('webhooks.')).sort();
}

const codeIn = (pattern: string): string[] => globSync(pattern, { cwd: ROOT });
// The demo members pay as a browser does.
const isOfTests = (file: string): boolean => file.endsWith('.test.ts') || file.includes('/demo/');

/** Delivers every event that Stripe has emitted since the last call. */
async function deliverAll(): Promise<void> {
  for (const event of world.takeEvents()) await world.deliver(event);
}

async function takeAll(account: Payer, steps: readonly HistoryStep[]): Promise<void> {
  for (const step of steps) {
    await take(world, account, step);
    await deliverAll();
  }
}

const PAY: HistoryStep = { do: 'pay', card: 'pm_card_visa' };
const DAY = 24 * 3600;

/** Everything that sends a request. */
async function useAll(): Promise<void> {
  const { context } = world;
  await world.restartStripe();
  const ann = await world.payer();
  await takeAll(ann, [
    { do: 'buy', packageId: 'tokens-50', hosted: false },
    { do: 'buy', packageId: 'tokens-50', hosted: false },
    { do: 'buy', packageId: 'tokens-200', hosted: true },
    { do: 'buy', packageId: 'tokens-200', hosted: true },
    { do: 'buy', packageId: 'tokens-50', hosted: false },
    PAY,
    { do: 'refund', share: 0.5 },
    { do: 'dispute' },
    { do: 'subscribe', packageId: 'pro-monthly' },
    { do: 'subscribe', packageId: 'pro-yearly' },
    PAY,
  ]);
  const quote = await previewPlanChange(context, { account: ann, newPackageId: 'pro-monthly' });
  await changePlan(context, { account: ann, newPackageId: 'pro-monthly', quoteId: quote.id });
  await openPortal(context, { account: ann, returnTo: '/dashboard/subscription' });
  await takeAll(ann, [{ do: 'cancel' }, { do: 'reactivate' }]);
  // A schedule that cancels, and a refund of the subscription's payment.
  const [subscription] = world.stripe.store.list('subscription', ({ status }) => status === 'active');
  const schedules = world.client.subscriptionSchedules;
  const schedule = await schedules.create({ from_subscription: subscription?.id ?? '' });
  await schedules.update(schedule.id, { end_behavior: 'cancel' });
  await deliverAll();
  await takeAll(ann, [{ do: 'reactivate' }]);
  const [paid] = world.stripe.store.list(
    'payment_intent',
    ({ status, metadata }) => status === 'succeeded' && metadata.kind !== 'tokens',
  );
  world.stripe.refund(paid?.id ?? '', 1);
  await deliverAll();

  // A renewal that is not paid, until its grace has ended.
  const eve = await world.payer();
  await takeAll(eve, [
    { do: 'subscribe', packageId: 'pro-monthly' },
    PAY,
    { do: 'changeCard', card: 'pm_card_authenticationRequired' },
    { do: 'wait', seconds: 30 * DAY + 7200 },
    { do: 'wait', seconds: 3 * DAY },
  ]);
  await reconcilePending(context);
  await reconcileActive(context);
  await listAdoptable(context);

  const bob = await world.payer();
  await startSubscriptionCheckout(context, { account: bob, packageId: 'pro-monthly' });
  await startSubscription(context, { account: bob, packageId: 'pro-monthly' });
  await reconcileActive(context, { accountId: bob.id });
  await takeAll(bob, [{ do: 'deleteCustomer' }]);

  const cat = await world.payer();
  await takeAll(cat, [{ do: 'buy', packageId: 'tokens-50', hosted: false }, PAY]);
  await context.db
    .updateTable('users')
    .set({ delete_after: toIso(context.clock.now()) })
    .where('id', '=', cat.id)
    .execute();
  const keyring = createKeyring(['a secret of the tests, long enough']);
  const { deleted } = await finishDeletions({ db: context.db, payments: context, keyring });
  expect(deleted).toEqual([cat.id]);
  await world.restartStripe();
}

it('every request to Stripe is one that its public API describes and that the guide’s permissions allow, and no amount is a float', async () => {
  const code = codeIn('{daemon,shared}/**/*.ts').filter((file) => !isOfTests(file));
  expect(calledMethods(code)).toEqual(Object.keys(REQUESTS).sort());
  const seen = new Set<string>();
  const needed = new Set<string>();
  const check = (): void => {
    // Includes the version and the idempotency key of each request.
    expect(world.stripe.violations()).toEqual([]);
    for (const { key, method, route, params, path, status } of world.stripe.requests()) {
      if (route === null) throw new Error(`Stripe has no route for a ${method} request`);
      seen.add(`${method} ${route}`);
      // The refusal names the account. Requests that are not in the table are of the test.
      const isOurs = Object.values(REQUESTS)
        .map(nameOf)
        .includes(nameOf(`${method} ${route}`));
      if (isOurs && route !== '/v1/account') {
        expect({ method, route, status }).not.toMatchObject({ status: 403 });
        const expand = Array.isArray(params.expand) ? params.expand.map(String) : [];
        for (const permission of permissionsFor({ method, path, expand })) needed.add(permission);
      }
      const known = { method, path: route, implemented: Object.keys(params) };
      // Throws for an unknown, missing or malformed parameter.
      expect(() =>
        checkParameters(known as unknown as Parameters<typeof checkParameters>[0], params, key ?? 'secret'),
      ).not.toThrow();
      for (const [, amount] of JSON.stringify(params).matchAll(/"[a-z_]*amount[a-z_]*":"([^"]*)"/g))
        expect(amount).toMatch(/^-?\d+$/);
    }
  };
  const reset = world.stripe.service.reset.bind(world.stripe.service);
  // A reset of Stripe's stand-in deletes its list of requests.
  world.stripe.service.reset = () => {
    check();
    reset();
  };
  await useAll();
  check();
  const all = new Set([...seen].map(nameOf));
  expect(Object.values(REQUESTS).filter((request) => !all.has(nameOf(request)))).toEqual([]);
  const isIncluded = (name: string): boolean =>
    name.endsWith('_read') && needed.has(name.replace(/_read$/, '_write'));
  expect([...needed].filter((name) => !isIncluded(name)).sort()).toEqual(permissionsOfGuide());
});

it('the sandbox serves the requests of the product, of tests and of its script in the browser, and no others', () => {
  const files = [...codeIn('tests/**/*.ts'), ...codeIn('{app,daemon,shared}/**/*.ts').filter(isOfTests)];
  const called = new Set(calledMethods(files));
  expect(Object.keys(REQUESTS_OF_TESTS).filter((name) => !called.has(name))).toEqual([]);
  const sent = [...Object.values(REQUESTS), ...Object.values(REQUESTS_OF_TESTS), REQUEST_OF_SCRIPT];
  expect(world.stripe.served.map(nameOf).sort()).toEqual(sent.map(nameOf).sort());
});
