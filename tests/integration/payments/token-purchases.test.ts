import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Payer } from '#shared/payments/payments-context';
import { startTokenCheckout, startTokenPurchase } from '#shared/tokens/buy-tokens.server';
import { listPurchases } from '#shared/tokens/purchases';
import { syncPurchase } from '#shared/tokens/sync-purchase.server';
import { appendEntry, readBalance } from '#shared/tokens/token-ledger';
import { createStripeInProcess, type StripeInProcess } from './stripe-in-process';

let fixture: StripeInProcess;
beforeAll(async () => {
  fixture = await createStripeInProcess();
  await fixture.restartStripe();
});
afterAll(() => fixture.cleanup());

const TOKENS = 'tokens-50';
const intentOf = (clientSecret: string): string => clientSecret.split('_secret_')[0] ?? '';
const balanceOf = ({ id }: Payer): Promise<number> => readBalance(fixture.db, { accountId: id });

async function ledgerOf({ id }: Payer): Promise<[string, number][]> {
  const rows = await fixture.db
    .selectFrom('token_ledger')
    .select(['kind', 'tokens'])
    .where('user_id', '=', id)
    .orderBy('seq')
    .execute();
  return rows.map(({ kind, tokens }) => [kind, tokens]);
}

/** Delivers every event that Stripe has emitted since the last call. */
async function deliverAll(): Promise<void> {
  for (const event of fixture.takeEvents()) await fixture.deliver(event);
}

/** An account that has paid for fifty tokens; returns the payment's id. */
async function buy(account: Payer): Promise<string> {
  const { clientSecret } = await startTokenPurchase(fixture.context, { account, packageId: TOKENS });
  expect(await fixture.pay(clientSecret)).toBe('succeeded');
  await deliverAll();
  return intentOf(clientSecret);
}

describe('buying tokens', () => {
  it('credits a paid purchase once, and mails one receipt', async () => {
    const account = await fixture.payer();
    const started = await startTokenPurchase(fixture.context, { account, packageId: TOKENS });
    expect(started.amountPence).toBe(499);
    expect(await fixture.pay(started.clientSecret)).toBe('succeeded');
    expect(await balanceOf(account)).toBe(0);
    const events = fixture.takeEvents();
    for (const event of [...events, ...events.reverse()]) await fixture.deliver(event);
    expect(await balanceOf(account)).toBe(50);
    expect(await listPurchases(fixture.db, { accountId: account.id })).toMatchObject([
      { id: started.purchaseId, tokenCount: 50, amountPence: 499, status: 'completed' },
    ]);
    expect(await fixture.mails(account)).toMatchObject([{ template: 'tokens_bought', tokenCount: 50 }]);
  });

  it('shares one payment and one customer between parallel requests', async () => {
    const account = await fixture.payer();
    const started = await Promise.all(
      Array.from({ length: 8 }, () => startTokenPurchase(fixture.context, { account, packageId: TOKENS })),
    );
    expect(new Set(started.map(({ clientSecret }) => clientSecret)).size).toBe(1);
    const { data } = await fixture.client.customers.list({ email: account.email });
    expect(data).toHaveLength(1);
    expect((await fixture.client.paymentIntents.list({ customer: data[0]?.id })).data).toHaveLength(1);
  });

  it('keeps a declined purchase open for another card, and says why it was declined', async () => {
    const account = await fixture.payer();
    const first = await startTokenPurchase(fixture.context, { account, packageId: TOKENS });
    const listed = () => listPurchases(fixture.db, { accountId: account.id, submitted: { returned: null } });
    // The payment step is open, and the sync has read it.
    await deliverAll();
    await syncPurchase(fixture.context, intentOf(first.clientSecret));
    expect(await listed()).toEqual([]);
    expect(await fixture.pay(first.clientSecret, 'pm_card_chargeDeclined')).toBe('declined');
    await deliverAll();
    expect(await listPurchases(fixture.db, { accountId: account.id })).toMatchObject([{ status: 'pending' }]);
    const { failure_message: reason } = await fixture.db
      .selectFrom('token_purchases')
      .select('failure_message')
      .where('id', '=', first.purchaseId)
      .executeTakeFirstOrThrow();
    expect(reason).toBe('Your card was declined.');
    expect(await listed()).toMatchObject([{ status: 'pending' }]);
    const second = await startTokenPurchase(fixture.context, { account, packageId: TOKENS });
    expect(second).toEqual(first);
    expect(await fixture.pay(second.clientSecret)).toBe('succeeded');
    await deliverAll();
    expect(await balanceOf(account)).toBe(50);
  });

  it('cancels the payment of another package first, and never leaves a card form and a hosted page open together', async () => {
    const account = await fixture.payer();
    const small = await startTokenPurchase(fixture.context, { account, packageId: TOKENS });
    const large = await startTokenPurchase(fixture.context, { account, packageId: 'tokens-200' });
    const statusOf = async (clientSecret: string) =>
      (await fixture.client.paymentIntents.retrieve(intentOf(clientSecret))).status;
    expect(await statusOf(small.clientSecret)).toBe('canceled');
    const order = { account, packageId: 'tokens-200', returnTo: '/dashboard/subscription?tab=tokens' };
    const page = await startTokenCheckout(fixture.context, order);
    expect(await statusOf(large.clientSecret)).toBe('canceled');
    expect(await startTokenCheckout(fixture.context, order)).toEqual(page);
    const again = await startTokenPurchase(fixture.context, { account, packageId: 'tokens-200' });
    const sessions = fixture.stripe.store.list('checkout.session').filter(({ url }) => url === page.url);
    expect(sessions.every(({ status }) => status === 'expired')).toBe(true);
    expect(await fixture.pay(again.clientSecret)).toBe('succeeded');
    await deliverAll();
    expect(await balanceOf(account)).toBe(200);
    expect(await listPurchases(fixture.db, { accountId: account.id })).toHaveLength(1);
  });

  it('refuses a second purchase while the first is paid but not credited yet, and credits it', async () => {
    for (const packageId of [TOKENS, 'tokens-200']) {
      const account = await fixture.payer();
      const other = await startTokenPurchase(fixture.context, { account, packageId: TOKENS });
      await fixture.pay(other.clientSecret);
      fixture.takeEvents();
      await expect(startTokenPurchase(fixture.context, { account, packageId })).rejects.toMatchObject({
        kind: 'Conflict',
        code: 'payment_received',
      });
      expect(await balanceOf(account)).toBe(50);
    }
  });

  it.each([
    ['after it was carried out', true],
    ['before it was carried out', false],
  ])('continues when Stripe failed a request %s', async (_when, executed) => {
    const account = await fixture.payer();
    const order = { account, packageId: TOKENS };
    for (const path of ['/v1/customers', '/v1/payment_intents']) {
      fixture.stripe.setFaults([{ kind: 'status', status: 500, method: 'POST', path, executed }]);
      await expect(startTokenPurchase(fixture.context, order)).rejects.toMatchObject({ kind: 'BadGateway' });
    }
    fixture.stripe.setFaults([]);
    const started = await Promise.all([
      startTokenPurchase(fixture.context, order),
      startTokenPurchase(fixture.context, order),
    ]);
    expect(started[0]).toEqual(started[1]);
    await fixture.pay(started[0].clientSecret);
    await deliverAll();
    expect(await balanceOf(account)).toBe(50);
    expect(await listPurchases(fixture.db, { accountId: account.id })).toHaveLength(1);
  });

  it('creates a new customer when the old one was deleted at Stripe', async () => {
    const account = await fixture.payer();
    await startTokenPurchase(fixture.context, { account, packageId: TOKENS });
    const { data } = await fixture.client.customers.list({ email: account.email });
    await fixture.client.customers.del(data[0]?.id ?? '');
    fixture.takeEvents();
    const next = await startTokenPurchase(fixture.context, { account, packageId: 'tokens-200' });
    await fixture.pay(next.clientSecret);
    await deliverAll();
    expect(await balanceOf(account)).toBe(200);
  });
});

describe('taking tokens back', () => {
  it('takes tokens in proportion to a refund, rounded up, and the rest with the rest', async () => {
    const account = await fixture.payer();
    const intent = await buy(account);
    fixture.stripe.refund(intent, 100);
    await deliverAll();
    // 50 × 100 / 499 = 10.02
    expect(await balanceOf(account)).toBe(39);
    fixture.stripe.refund(intent);
    await deliverAll();
    expect(await ledgerOf(account)).toEqual([
      ['purchase', 50],
      ['refund', -11],
      ['refund', -39],
    ]);
    expect((await fixture.mails(account)).slice(1)).toMatchObject([
      { template: 'tokens_taken_back', reason: 'refund', amountPence: 100, tokens: 11, balance: 39 },
      { template: 'tokens_taken_back', reason: 'refund', amountPence: 399, tokens: 39, balance: 0 },
    ]);
  });

  it('takes what a refund left when the payment is disputed, and gives it back when the dispute is won', async () => {
    const account = await fixture.payer();
    const intent = await buy(account);
    fixture.stripe.refund(intent, 100);
    const dispute = fixture.stripe.openDispute(intent);
    await deliverAll();
    expect(await balanceOf(account)).toBe(0);
    fixture.stripe.closeDispute(dispute.id, 'won');
    await deliverAll();
    expect(await ledgerOf(account)).toEqual([
      ['purchase', 50],
      ['refund', -11],
      ['dispute', -39],
      ['dispute_won', 39],
    ]);
  });

  it('leaves a debt when disputed tokens were spent, and keeps it when the dispute is lost', async () => {
    const account = await fixture.payer();
    const intent = await buy(account);
    const now = fixture.clock.now();
    await fixture.db.transaction().execute((trx) =>
      appendEntry(trx, {
        accountId: account.id,
        entry: { kind: 'consume', tokens: -20, task_id: 'a-task' },
        now,
      }),
    );
    const dispute = fixture.stripe.openDispute(intent);
    await deliverAll();
    expect(await balanceOf(account)).toBe(-20);
    fixture.stripe.closeDispute(dispute.id, 'lost');
    await deliverAll();
    expect(await balanceOf(account)).toBe(-20);
    const purchase = await fixture.db
      .selectFrom('token_purchases')
      .select(['status', 'dispute_status', 'refunded_pence'])
      .where('stripe_payment_intent_id', '=', intent)
      .executeTakeFirstOrThrow();
    expect(purchase).toEqual({ status: 'completed', dispute_status: 'lost', refunded_pence: 0 });
  });
});

describe('an event', () => {
  it('that is forged, old or altered changes nothing and leaves no row', async () => {
    const account = await fixture.payer();
    const { clientSecret } = await startTokenPurchase(fixture.context, { account, packageId: TOKENS });
    await fixture.pay(clientSecret);
    const event = fixture.takeEvents().find(({ type }) => type === 'payment_intent.succeeded');
    if (event === undefined) throw new Error('Stripe emitted no success');
    const altered = JSON.stringify(event).replace('499', '999');
    for (const bad of [{ secret: 'whsec_forged' }, { ageSeconds: 301 }, { body: altered }, { body: '' }])
      await expect(fixture.deliver(event, bad)).rejects.toMatchObject({ code: 'invalid_signature' });
    expect(await balanceOf(account)).toBe(0);
    const rows = fixture.db.selectFrom('payment_events').select('id').where('stripe_event_id', '=', event.id);
    expect(await rows.execute()).toHaveLength(0);
    await fixture.deliver(event, { ageSeconds: 299 });
    expect(await balanceOf(account)).toBe(50);
  });

  it('about a payment of another system, or of the other mode, is ignored', async () => {
    const foreign = await fixture.client.paymentIntents.create({
      amount: 499,
      currency: 'gbp',
      automatic_payment_methods: { enabled: true },
      metadata: { app: 'another' },
    });
    await fixture.client.paymentIntents.confirm(foreign.id, {
      payment_method: 'pm_card_visa',
      return_url: 'http://shop.test',
    });
    const [success] = fixture.takeEvents().filter(({ type }) => type === 'payment_intent.succeeded');
    if (success === undefined) throw new Error('Stripe emitted no success');
    await fixture.deliver(success);
    await fixture.deliver({ ...success, id: 'evt_live', livemode: true });
    const rows = await fixture.db
      .selectFrom('payment_events')
      .select('status')
      .where('stripe_event_id', 'in', [success.id, 'evt_live'])
      .execute();
    expect(rows).toEqual([{ status: 'cancelled' }, { status: 'cancelled' }]);
  });
});
