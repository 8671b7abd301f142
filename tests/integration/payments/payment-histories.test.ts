import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { targetOf } from '#shared/billing/store-event.server';
import { reconcileActive, reconcilePending } from '#shared/billing/reconcile.server';
import type { Payer } from '#shared/payments/payments-context';
import { readBalance } from '#shared/tokens/token-ledger';
import { usesPostgres } from '../database-faults';
import { CARDS, LATER_CARDS, take, WAITS, type HistoryStep } from './payment-history';
import { createStripeInProcess, type StripeInProcess } from './stripe-in-process';

/** Several tests, because one of all histories ran into its time limit on a busy machine. */
const PARTS = Array.from({ length: 5 }, (_, index) => index + 1);
/** Fewer on PostgreSQL, where each takes several times as long. */
const HISTORIES_PER_PART = usesPostgres() ? 8 : 20;

let world: StripeInProcess;
beforeAll(async () => {
  world = await createStripeInProcess();
});
afterAll(() => world.cleanup());

type StripeEvent = ReturnType<StripeInProcess['takeEvents']>[number];

/** How an event reaches us: in order, twice, after all others in any order, twice in any order, or never. */
const DELIVERIES = ['now', 'twice', 'late', 'now and late', 'lost'] as const;

const card = fc.constantFrom(...CARDS);
const step: fc.Arbitrary<HistoryStep> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('buy' as const),
      packageId: fc.constantFrom('tokens-50' as const, 'tokens-200' as const),
      hosted: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('subscribe' as const),
      packageId: fc.constantFrom('pro-monthly' as const, 'pro-yearly' as const),
    }),
  },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('pay' as const), card }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('refund' as const), share: fc.constantFrom(0.1, 0.5, 1) }),
  },
  { weight: 3, arbitrary: fc.constant({ do: 'dispute' as const }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('decide' as const),
      status: fc.constantFrom('won' as const, 'lost' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('changeCard' as const), card: fc.constantFrom(...LATER_CARDS) }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'cancel' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'reactivate' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'cancelNow' as const }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('wait' as const), seconds: fc.constantFrom(...WAITS) }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'deleteCustomer' as const }) },
);

/** Most histories begin with something paid, because little can follow on what is not. */
const beginning = fc.oneof(
  { weight: 1, arbitrary: fc.constant<HistoryStep[]>([]) },
  {
    weight: 3,
    arbitrary: fc.boolean().map((hosted): HistoryStep[] => [
      { do: 'buy', packageId: 'tokens-50', hosted },
      { do: 'pay', card: 'pm_card_visa' },
    ]),
  },
  {
    weight: 5,
    arbitrary: fc
      .constantFrom(...LATER_CARDS)
      .map((renewals): HistoryStep[] => [
        { do: 'subscribe', packageId: 'pro-monthly' },
        { do: 'pay', card: 'pm_card_visa' },
        ...(renewals === 'pm_card_visa' ? [] : [{ do: 'changeCard' as const, card: renewals }]),
      ]),
  },
);

const history = fc.record({
  steps: fc
    .tuple(beginning, fc.array(step, { minLength: 1, maxLength: 7 }))
    .map(([first, rest]) => [...first, ...rest]),
  deliveries: fc.array(fc.constantFrom(...DELIVERIES), { minLength: 1, maxLength: 7 }),
  /** The order of late events. */
  order: fc.array(fc.nat(1_000), { minLength: 1, maxLength: 7 }),
});

const pick = <T>(values: readonly T[], index: number): T => {
  const value = values[index % values.length];
  if (value === undefined) throw new Error('no value to choose from');
  return value;
};

/** Plays a history, and delivers its events as planned. Lost ones are made up for by the reconcile job. */
async function play({
  steps,
  deliveries,
  order,
}: typeof history extends fc.Arbitrary<infer T> ? T : never): Promise<Payer> {
  await world.restartStripe();
  world.takeEvents();
  const account = await world.payer();
  const late: StripeEvent[] = [];
  let count = 0;
  let isLossy = false;
  for (const one of steps) {
    await take(world, account, one);
    for (const event of world.takeEvents()) {
      // A type that we do not handle is stored as ignored; another test shows that.
      if (targetOf(event as Parameters<typeof targetOf>[0]) === null) continue;
      const delivery = pick(deliveries, (count += 1));
      if (delivery === 'lost') isLossy = true;
      if (delivery === 'late' || delivery === 'now and late') late.push(event);
      if (delivery === 'now' || delivery === 'twice' || delivery === 'now and late')
        await world.deliver(event);
      if (delivery === 'twice') await world.deliver(event);
    }
  }
  const keyed = late.map((event, index) => ({ event, key: pick(order, index) }));
  for (const { event } of keyed.sort((a, b) => a.key - b.key)) await world.deliver(event);
  if (isLossy)
    for (const reconcile of [reconcilePending, reconcileActive]) {
      const faults: unknown[] = [];
      await reconcile(world.context, { accountId: account.id, onFault: (fault) => faults.push(fault) });
      expect(faults).toEqual([]);
    }
  return account;
}

/** What Stripe has of the tokens, and what therefore must be in the database. */
function expectedPurchases() {
  const { store } = world.stripe;
  return store
    .list('payment_intent', ({ metadata }) => metadata.kind === 'tokens')
    .map((intent) => {
      const refunded = store
        .list('refund', (refund) => refund.payment_intent === intent.id)
        .reduce((sum, { amount }) => sum + amount, 0);
      const [dispute] = store.list('dispute', (one) => one.payment_intent === intent.id);
      const isPaid = intent.status === 'succeeded';
      const count = intent.amount === 499 ? 50 : 200;
      const left = isPaid ? count - Math.ceil((count * refunded) / intent.amount) : 0;
      return {
        id: intent.id,
        status: isPaid
          ? 'completed'
          : intent.status !== 'canceled'
            ? 'pending'
            : intent.latest_charge === null && intent.last_payment_error === null
              ? 'abandoned'
              : 'failed',
        refunded,
        dispute: dispute === undefined ? null : dispute.status === 'needs_response' ? 'open' : dispute.status,
        tokens: dispute !== undefined && dispute.status !== 'won' ? 0 : left,
      };
    })
    .sort((a, b) => a.id.localeCompare(b.id));
}

async function storedPurchases({ id: accountId }: Payer) {
  const rows = await world.db
    .selectFrom('token_purchases')
    .selectAll()
    .where('user_id', '=', accountId)
    .where('stripe_payment_intent_id', 'is not', null)
    .execute();
  const entries = await world.db
    .selectFrom('token_ledger')
    .select(['purchase_id', 'tokens'])
    .where('user_id', '=', accountId)
    .execute();
  return rows
    .map((row) => ({
      id: row.stripe_payment_intent_id ?? '',
      status: row.status,
      refunded: row.refunded_pence,
      dispute: row.dispute_status,
      tokens: entries
        .filter((entry) => entry.purchase_id === row.id)
        .reduce((sum, { tokens }) => sum + tokens, 0),
    }))
    .sort((a, b) => a.id.localeCompare(b.id));
}

const seconds = (stored: string | null): number | null =>
  stored === null ? null : Date.parse(stored) / 1_000;

function expectedSubscriptions() {
  const { store } = world.stripe;
  return store
    .list('subscription')
    .map((subscription) => ({
      id: subscription.id,
      status: subscription.status as string,
      end: subscription.items.data[0]?.current_period_end ?? null,
      price: subscription.items.data[0]?.price.id ?? null,
      canceling: subscription.cancel_at_period_end ? 1 : 0,
      latest: subscription.latest_invoice,
      grace:
        subscription.status === 'past_due'
          ? (subscription.items.data[0]?.current_period_start ?? 0) + 3 * 24 * 3600
          : null,
      invoices: store
        .list('invoice', (invoice) => invoice.parent?.subscription_details?.subscription === subscription.id)
        .map(({ id, status, amount_paid, attempt_count }) => ({ id, status, amount_paid, attempt_count }))
        .sort((a, b) => a.id.localeCompare(b.id)),
    }))
    .sort((a, b) => a.id.localeCompare(b.id));
}

async function storedSubscriptions({ id: accountId }: Payer) {
  const rows = await world.db
    .selectFrom('subscriptions')
    .innerJoin('subscription_packages as plan', 'plan.id', 'subscriptions.package_id')
    .selectAll('subscriptions')
    .select('plan.stripe_price_id as price')
    .where('user_id', '=', accountId)
    .where('stripe_subscription_id', 'is not', null)
    .execute();
  const invoices = await world.db
    .selectFrom('subscription_invoices')
    .selectAll()
    .orderBy('id')
    .where(
      'subscription_id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute();
  return rows
    .map((row) => ({
      id: row.stripe_subscription_id ?? '',
      status: row.status,
      end: seconds(row.current_period_end),
      price: row.price,
      canceling: row.cancel_at_period_end,
      latest: row.latest_invoice_id,
      grace: seconds(row.grace_until),
      invoices: invoices
        .filter(({ subscription_id: owner }) => owner === row.id)
        .map(({ id, status, amount_paid_pence, attempt_count }) => ({
          id,
          status,
          amount_paid: amount_paid_pence,
          attempt_count,
        }))
        .sort((a, b) => a.id.localeCompare(b.id)),
    }))
    .sort((a, b) => a.id.localeCompare(b.id));
}

it.each(PARTS)(
  'the database ends in what Stripe says, however events arrive or are lost, and each payment has one receipt (%i)',
  async () => {
    await fc.assert(
      fc.asyncProperty(history, async (plan) => {
        const account = await play(plan);
        const purchases = expectedPurchases();
        const subscriptions = expectedSubscriptions();
        const stored = await storedPurchases(account);
        // A payment that a hosted page has begun is only known by its events, or once it is paid.
        const known = purchases.filter(
          ({ id, status }) => status === 'completed' || stored.some((one) => one.id === id),
        );
        expect(stored).toEqual(known);
        expect(await storedSubscriptions(account)).toEqual(subscriptions);
        expect(await readBalance(world.db, { accountId: account.id })).toBe(
          purchases.reduce((sum, { tokens }) => sum + tokens, 0),
        );
        const mails = await world.mails(account);
        const countOf = (template: string): number =>
          mails.filter((mail) => mail.template === template).length;
        expect(countOf('tokens_bought')).toBe(
          purchases.filter(({ status }) => status === 'completed').length,
        );
        expect(countOf('subscription_paid')).toBe(
          subscriptions.flatMap(({ invoices }) => invoices).filter(({ status }) => status === 'paid').length,
        );
      }),
      { numRuns: HISTORIES_PER_PART, endOnFailure: true },
    );
  },
);
