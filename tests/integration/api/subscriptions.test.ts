import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Account } from '#shared/accounts/account';
import { revokeBeta } from '#shared/beta/beta-operations';
import { systemClock } from '#shared/clock';
import { syncPackages } from '#shared/subscriptions/packages/sync-packages.server';
import { serverContext } from '~/http/server/context.server';
import * as subscriptionPage from '~/routes/dashboard/subscription';
import { startSandbox, type Sandbox } from '../../../sandbox/start-sandbox';
import { createRenderedSite } from '../rendered-site';
import { callApi, createApiFixture, type ApiFixture } from './api-fixture';
import { CARDS, confirmCard, stripeVariables } from '../payments/payments-fixture';
import { syncSubscription } from '#shared/subscriptions/sync/sync-subscription.server';

let sandbox: Sandbox;
let fixture: ApiFixture;
beforeAll(async () => {
  sandbox = await startSandbox();
  fixture = await createApiFixture(stripeVariables(sandbox));
  await syncPackages(serverContext().payments);
});
afterAll(async () => {
  await fixture.cleanup();
  await sandbox.close();
});

interface Caller {
  account: Account;
  post(path: string, body?: unknown): ReturnType<typeof callApi>;
  get(path?: string): ReturnType<typeof callApi>;
}

async function signIn(): Promise<Caller> {
  const account = await fixture.account('beta');
  const token = await fixture.signIn(account);
  return {
    account,
    post: (path, body) =>
      callApi('POST', `/api/subscriptions/${path}`, { token, ...(body !== undefined && { body }) }),
    get: (path = '') => callApi('GET', `/api/subscriptions${path}`, { token }),
  };
}

const PAGE = '/dashboard/subscription';
const site = createRenderedSite({ [PAGE]: subscriptionPage });

/** Pays with a card whose bank wants each payment confirmed, and confirms it. */
async function passBank(clientSecret: string): Promise<void> {
  const { intent } = await confirmCard(sandbox, clientSecret, CARDS.alwaysConfirms);
  sandbox.stripe.finishChallenge(intent?.id ?? '', true);
}

/** What the job of an event does. */
async function readAfresh({ id }: Account): Promise<void> {
  const rows = await fixture.db
    .selectFrom('subscriptions')
    .select('stripe_subscription_id')
    .where('user_id', '=', id)
    .execute();
  for (const { stripe_subscription_id: stripeId } of rows)
    if (stripeId !== null) await syncSubscription(serverContext().payments, stripeId);
}

const FREE = { tier: 'free', expiresAt: null, cancelAtPeriodEnd: false, currentPackageId: null };

test('a plan is bought, changed, cancelled and reactivated over the API, in pounds', async () => {
  const { account, post, get } = await signIn();
  expect((await get()).body).toEqual({ success: true, subscription: FREE });
  expect((await get('/packages')).body).toEqual({
    success: true,
    packages: [
      {
        id: 'pro-monthly',
        name: 'Pro Monthly',
        description: expect.any(String),
        price: 9.99,
        durationDays: 30,
      },
      {
        id: 'pro-yearly',
        name: 'Pro Yearly',
        description: expect.any(String),
        price: 95.9,
        durationDays: 365,
      },
    ],
  });
  for (const [path, body, code] of [
    ['cancel', {}, 'not_subscribed'],
    ['reactivate', undefined, 'not_subscribed'],
    ['portal', undefined, 'no_customer'],
    ['preview-change', { newPackageId: 'pro-yearly' }, 'not_subscribed'],
    ['change-plan', { newPackageId: 'pro-yearly' }, 'not_subscribed'],
  ] as const)
    expect(await post(path, body)).toMatchObject({ status: 409, body: { success: false, code } });
  expect(await post('create-payment-intent', { packageId: 'none' })).toMatchObject({ status: 404 });
  expect(await post('create-payment-intent', {})).toMatchObject({ status: 422, body: { code: 'invalid' } });

  const started = await post('create-payment-intent', { packageId: 'pro-monthly' });
  expect(started).toMatchObject({ status: 200, body: { success: true, clientSecret: expect.any(String) } });
  await confirmCard(sandbox, String(started.body.clientSecret), CARDS.succeeds);
  await readAfresh(account);
  expect((await get()).body).toMatchObject({
    subscription: { tier: 'pro', cancelAtPeriodEnd: false, currentPackageId: 'pro-monthly' },
  });
  expect(await post('create-payment-intent', { packageId: 'pro-yearly' })).toMatchObject({ status: 409 });

  const change = { newPackageId: 'pro-yearly' };
  expect(await post('preview-change', { newPackageId: 'pro-monthly' })).toMatchObject({ status: 409 });
  // Without a preview the change is refused, and a preview is made.
  expect(await post('change-plan', change)).toMatchObject({ status: 409, body: { code: 'quote_expired' } });
  const { body: previewed } = await post('preview-change', change);
  const { preview } = previewed as { preview: { remainingValue: number; proratedAmount: number } };
  expect(preview).toMatchObject({ currentPlan: { name: 'Pro Monthly' }, newPlan: { name: 'Pro Yearly' } });
  expect(Math.round((preview.remainingValue + preview.proratedAmount) * 100)).toBe(9590);
  expect((await post('change-plan', change)).body).toEqual({
    success: true,
    subscription: {
      tier: 'pro',
      expiresAt: expect.any(String),
      cancelAtPeriodEnd: false,
      currentPackageId: 'pro-yearly',
    },
    message: 'Your plan is now Pro Yearly.',
  });
  expect(await post('change-plan', change)).toMatchObject({ status: 409, body: { code: 'same_plan' } });

  expect(await post('cancel', { reason: 'x'.repeat(501) })).toMatchObject({ status: 422 });
  expect((await post('cancel')).body).toMatchObject({ subscription: { cancelAtPeriodEnd: true } });
  expect((await post('reactivate')).body).toMatchObject({ subscription: { cancelAtPeriodEnd: false } });
  expect((await post('portal')).body).toEqual({ success: true, url: expect.stringMatching(/^http/) });

  // Another member sees nothing of it.
  const other = await signIn();
  expect((await other.get()).body).toEqual({ success: true, subscription: FREE });
  expect((await other.post('portal')).status).toBe(409);
});

test('a change that the bank wants confirmed opens the payment step as a document, whose policy allows Stripe', async () => {
  const { account, post } = await signIn();
  const { body: started } = await post('create-payment-intent', { packageId: 'pro-monthly' });
  await passBank(String(started.clientSecret));
  await readAfresh(account);
  const token = await fixture.signIn(account);
  await site.post(PAGE, token, { intent: 'preview', packageId: 'pro-yearly' });
  const quote = await fixture.db
    .selectFrom('plan_quotes')
    .select('id')
    .where('user_id', '=', account.id)
    .executeTakeFirstOrThrow();
  const change = { intent: 'change', packageId: 'pro-yearly', quoteId: quote.id };
  expect(await site.post(PAGE, token, change)).toMatchObject({
    status: 303,
    leadsTo: `${PAGE}?confirm=1`,
    asDocument: true,
  });
});

test('a member who lost beta access can confirm a payment, cancel, reactivate and open the portal, and buys nothing', async () => {
  const { account, post, get } = await signIn();
  const { body: started } = await post('create-payment-intent', { packageId: 'pro-monthly' });
  await passBank(String(started.clientSecret));
  await readAfresh(account);
  const change = { newPackageId: 'pro-yearly' };
  await post('preview-change', change);
  const { body: changed } = await post('change-plan', change);
  expect(changed.clientSecret).toEqual(expect.any(String));
  await readAfresh(account);
  const actor = { userId: null };
  await revokeBeta(fixture.db, { accountId: account.id, actor, clock: systemClock });

  const token = await fixture.signIn(account);
  expect((await site.get(`${PAGE}?confirm=1`, token)).text).toContain('Confirm Payment');
  await passBank(String(changed.clientSecret));
  await readAfresh(account);
  expect((await get()).body).toMatchObject({ subscription: { currentPackageId: 'pro-yearly' } });

  for (const [path, body] of [
    ['create-payment-intent', { packageId: 'pro-monthly' }],
    ['preview-change', { newPackageId: 'pro-monthly' }],
    ['change-plan', { newPackageId: 'pro-monthly' }],
  ] as const)
    expect(await post(path, body), path).toMatchObject({ status: 403 });

  expect(await post('cancel')).toMatchObject({
    status: 200,
    body: { subscription: { cancelAtPeriodEnd: true } },
  });
  expect(await post('reactivate')).toMatchObject({
    status: 200,
    body: { subscription: { cancelAtPeriodEnd: false } },
  });
  expect(await post('portal')).toMatchObject({ status: 200, body: { url: expect.stringMatching(/^http/) } });

  for (const [intent, cancelled] of [
    ['cancel', true],
    ['reactivate', false],
  ] as const) {
    const sent = await site.post(PAGE, token, { intent, reason: '' });
    expect(sent.leadsTo, sent.text).toBe(PAGE);
    expect((await get()).body).toMatchObject({ subscription: { cancelAtPeriodEnd: cancelled } });
  }
  expect((await site.post(PAGE, token, { intent: 'portal' })).leadsTo).toMatch(
    new RegExp(`^${sandbox.stripeApiUrl}`),
  );
});

test('calls that ask Stripe are limited per account', async () => {
  const { post, get } = await signIn();
  const statuses = new Set<number>();
  for (let calls = 0; calls < 31; calls += 1) statuses.add((await post('portal')).status);
  expect([...statuses]).toEqual([409, 429]);
  expect((await get()).status).toBe(200);
  expect((await (await signIn()).post('portal')).status).toBe(409);
});
