import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { announceReversals } from '#shared/billing/announce';
import { reconcileActive } from '#shared/billing/reconcile.server';
import type { Payer } from '#shared/payments/payments-context';
import { readMembership } from '#shared/subscriptions/membership';
import { startSubscription } from '#shared/subscriptions/start-subscription.server';
import { startTokenPurchase } from '#shared/tokens/buy-tokens.server';
import { readBalance } from '#shared/tokens/token-ledger';
import { createStripeInProcess, type StripeInProcess } from './stripe-in-process';

let world: StripeInProcess;
beforeAll(async () => {
  world = await createStripeInProcess();
});
afterAll(() => world.cleanup());
beforeEach(async () => {
  await world.db.deleteFrom('alert_deliveries').execute();
  await world.db.deleteFrom('admin_notices').execute();
  await world.restartStripe();
});

async function deliverAll(): Promise<void> {
  for (const event of world.takeEvents()) await world.deliver(event);
}

/** A new member with a paid plan, and the payment. */
async function subscribe(): Promise<{ account: Payer; intent: string }> {
  const account = await world.payer();
  const { clientSecret } = await startSubscription(world.context, { account, packageId: 'pro-monthly' });
  await world.pay(clientSecret ?? '');
  await deliverAll();
  return { account, intent: (clientSecret ?? '').split('_secret_')[0] ?? '' };
}

const notices = () =>
  world.db.selectFrom('admin_notices').select(['kind', 'title', 'body']).orderBy('created_at').execute();
const tierOf = async ({ id: accountId }: Payer): Promise<string> =>
  (await readMembership(world.db, { accountId, now: world.clock.now() })).tier;
const balanceOf = ({ id: accountId }: Payer): Promise<number> => readBalance(world.db, { accountId });
const endings = async (account: Payer) =>
  (await world.mails(account)).filter(({ template }) => template === 'subscription_ended');

describe('a payment of a subscription', () => {
  it('that is refunded leaves the subscription, and the admins are told once, without personal data', async () => {
    const { account, intent } = await subscribe();
    world.stripe.refund(intent, 100);
    await deliverAll();
    world.stripe.refund(intent);
    await deliverAll();
    await reconcileActive(world.context);
    const told = await notices();
    expect(told).toMatchObject([{ kind: 'payment_reversed' }, { kind: 'payment_reversed' }]);
    expect(told.map(({ body }) => /£\d+\.\d\d/.exec(body)?.[0]).sort()).toEqual(['£1.00', '£8.99']);
    for (const { title, body } of told) {
      expect(title).toContain('refunded');
      expect(body).toContain(account.id);
      expect(body).not.toContain(account.email.replace(account.id, ''));
    }
    expect(await tierOf(account)).toBe('pro');
    expect(await endings(account)).toEqual([]);
  });

  it('whose dispute is won keeps the subscription, and one that is lost ends it at once with a mail', async () => {
    const { account, intent } = await subscribe();
    const won = world.stripe.openDispute(intent);
    await deliverAll();
    expect(await notices()).toMatchObject([
      { kind: 'payment_reversed', title: 'A subscription payment is disputed' },
    ]);
    expect(await tierOf(account)).toBe('pro');
    world.stripe.closeDispute(won.id, 'won');
    await deliverAll();
    expect(await tierOf(account)).toBe('pro');

    const other = await subscribe();
    const lost = world.stripe.openDispute(other.intent);
    await deliverAll();
    world.stripe.closeDispute(lost.id, 'lost');
    await deliverAll();
    await deliverAll();
    expect([await tierOf(account), await tierOf(other.account)]).toEqual(['pro', 'free']);
    expect(world.stripe.store.list('subscription').map(({ status }) => status)).toEqual([
      'canceled',
      'active',
    ]);
    expect(await endings(other.account)).toHaveLength(1);
    expect(await notices()).toHaveLength(2);
  });

  it('that was disputed and lost while all events were lost is found by the daily comparison', async () => {
    const { account, intent } = await subscribe();
    world.stripe.closeDispute(world.stripe.openDispute(intent).id, 'lost');
    expect(await reconcileActive(world.context)).toMatchObject({ failed: 0 });
    expect(await tierOf(account)).toBe('free');
    expect(await endings(account)).toHaveLength(1);
    const contacts = { adminContacts: { emails: ['ops@example.org'] }, now: world.clock.now() };
    expect(await announceReversals(world.db, contacts)).toHaveLength(1);
    expect(await announceReversals(world.db, contacts)).toEqual([]);
    expect((await notices())[0]?.body).toContain('It is lost');
    await deliverAll();
    expect(await endings(account)).toHaveLength(1);
    expect(await notices()).toHaveLength(1);
  });
});

describe('a payment of tokens that is disputed in part', () => {
  async function buy(): Promise<{ account: Payer; intent: string }> {
    const account = await world.payer();
    const { clientSecret } = await startTokenPurchase(world.context, { account, packageId: 'tokens-50' });
    await world.pay(clientSecret);
    await deliverAll();
    return { account, intent: clientSecret.split('_secret_')[0] ?? '' };
  }

  it('loses tokens in proportion, rounded up, which a won dispute gives back', async () => {
    const { account, intent } = await buy();
    const dispute = world.stripe.openDispute(intent, { amount: 100 });
    await deliverAll();
    // 50 × 100 / 499 = 10.02
    expect(await balanceOf(account)).toBe(39);
    world.stripe.closeDispute(dispute.id, 'won');
    await deliverAll();
    expect(await balanceOf(account)).toBe(50);
  });

  it('after a refund loses no more than what is left', async () => {
    const { account, intent } = await buy();
    world.stripe.refund(intent, 400);
    await deliverAll();
    expect(await balanceOf(account)).toBe(9);
    world.stripe.openDispute(intent, { amount: 499 });
    await deliverAll();
    expect(await balanceOf(account)).toBe(0);
  });
});

it('a refund of tokens that fails afterwards gives them back, and another one takes them again', async () => {
  const account = await world.payer();
  const { clientSecret } = await startTokenPurchase(world.context, { account, packageId: 'tokens-50' });
  await world.pay(clientSecret);
  const intent = clientSecret.split('_secret_')[0] ?? '';
  for (const _round of [1, 2]) {
    const refund = world.stripe.refund(intent, 400);
    await deliverAll();
    expect(await balanceOf(account)).toBe(9);
    // The money came back from the member's bank (docs.stripe.com/refunds, "Failed refunds").
    const charge = world.stripe.store.list('charge').find(({ id }) => id === refund.charge);
    if (charge === undefined) throw new Error('there is no charge');
    charge.amount_refunded -= refund.amount;
    refund.status = 'failed';
    world.stripe.store.emit('refund.failed', refund);
    await deliverAll();
    expect(await balanceOf(account)).toBe(50);
  }
});
