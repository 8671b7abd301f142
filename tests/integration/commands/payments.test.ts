import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { DAY, MINUTE, systemClock, toIso } from '#shared/clock';
import { inTransaction } from '#shared/database/transaction';
import { newId } from '#shared/ids';
import type { PaymentsContext } from '#shared/payments/payments-context';
import { createStripe } from '#shared/payments/stripe-client.server';
import { startTokenPurchase } from '#shared/tokens/buy-tokens.server';
import { appendEntry, readBalance } from '#shared/tokens/token-ledger';
import type { ToolResult } from '../../../daemon/cli/terminal';
import { ACCOUNTS } from '../../../sandbox/stripe/keys';
import { createDaemonSuite, type DaemonSuite, type TestContext } from '../daemon-suite';
import type { MonitorFixture } from '../monitor/monitor-fixture';
import { CARDS, confirmCard, stripeVariables } from '../payments/payments-fixture';

const EMAIL = 'ann@example.org';
const CUSTOMER = 'cus_1';
let suite: DaemonSuite;

beforeAll(async () => {
  suite = await createDaemonSuite();
});
afterAll(() => suite.close());

function stripeOf({ config }: MonitorFixture): NonNullable<MonitorFixture['config']['stripe']> {
  if (config.stripe === null) throw new Error('payment is not set up');
  return config.stripe;
}

type Payments = (...args: string[]) => Promise<ToolResult>;

const atTerminal = (test: (payments: Payments, context: TestContext) => Promise<void>): Promise<void> =>
  suite.run((context) => test((...args) => context.runTool('payments', ...args), context), []);

/** The JSON object in the last line of the output of `--json`. */
function lastObject({ stdout }: ToolResult): Record<string, unknown> {
  return z.record(z.string(), z.unknown()).parse(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? ''));
}

/** Adds an account; returns its id. */
async function addPayer({ db }: MonitorFixture, email: string): Promise<string> {
  const [id, stamp] = [newId(), toIso(Date.now())];
  await db
    .insertInto('users')
    .values({ id, email, username: 'Bob', created_at: stamp, updated_at: stamp })
    .execute();
  return id;
}

/** Adds a member with a canceling subscription, a refunded purchase and 40 tokens. */
async function addMember({ db }: MonitorFixture): Promise<void> {
  const now = Date.now();
  const [stamp, later] = [toIso(now), toIso(now + 10 * DAY)];
  const times = { created_at: stamp, updated_at: stamp };
  const user_id = newId();
  const subscription_id = newId();
  const purchase_id = newId();
  await inTransaction(db, async (trx) => {
    await trx
      .insertInto('users')
      .values({ id: user_id, email: EMAIL, username: 'Ann', ...times })
      .execute();
    await trx
      .insertInto('payment_customers')
      .values({ id: newId(), user_id, stripe_customer_id: CUSTOMER, created_at: stamp })
      .execute();
    await trx
      .insertInto('subscriptions')
      .values({
        id: subscription_id,
        user_id,
        package_id: 'pro-monthly',
        stripe_subscription_id: 'sub_1',
        status: 'active',
        current_period_start: stamp,
        current_period_end: later,
        cancel_at_period_end: 1,
        ...times,
      })
      .execute();
    await trx
      .insertInto('subscription_invoices')
      .values({
        id: 'in_1',
        subscription_id,
        status: 'paid',
        billing_reason: 'subscription_create',
        amount_due_pence: 999,
        amount_paid_pence: 999,
        attempt_count: 1,
        ...times,
      })
      .execute();
    await trx
      .insertInto('subscription_reversals')
      .values({
        id: 'du_1',
        subscription_id,
        invoice_id: 'in_1',
        kind: 'dispute',
        status: 'needs_response',
        amount_pence: 500,
        paid_pence: 999,
        ...times,
      })
      .execute();
    await trx
      .insertInto('token_purchases')
      .values({
        id: purchase_id,
        user_id,
        package_id: 'tokens-50',
        package_name: '50 Tokens',
        token_count: 50,
        amount_pence: 499,
        status: 'completed',
        stripe_payment_intent_id: 'pi_1',
        failure_message: 'Your card was \u001b[31mdeclined\u001b[0m.',
        refunded_pence: 99,
        ...times,
      })
      .execute();
    const entries = [
      { kind: 'purchase', tokens: 50, purchase_id, source_id: purchase_id },
      { kind: 'refund', tokens: -10, purchase_id, source_id: `${purchase_id}:refunded:99` },
    ] as const;
    for (const entry of entries) await appendEntry(trx, { accountId: user_id, entry, now });
  });
}

async function addEvent({ db }: MonitorFixture, id: string, status: 'dead' | 'sent'): Promise<void> {
  const stamp = toIso(Date.now());
  await db
    .insertInto('payment_events')
    .values({
      id: newId(),
      stripe_event_id: id,
      type: 'payment_intent.succeeded',
      object_type: 'payment_intent',
      object_id: 'pi_1',
      stripe_customer_id: CUSTOMER,
      stripe_created_at: stamp,
      status,
      due_at: stamp,
      expires_at: stamp,
      attempts: 3,
      last_error: status === 'dead' ? 'Stripe did not answer.' : null,
      created_at: stamp,
      updated_at: stamp,
    })
    .execute();
}

describe.concurrent('npm run payments', { timeout: 2 * MINUTE }, () => {
  it('shows what the database holds about an account, with control characters escaped', () =>
    atTerminal(async (payments, { fixture }) => {
      await addMember(fixture);
      await addEvent(fixture, 'evt_1', 'sent');
      const shown = await payments('show', ' ANN@example.org');
      expect(shown).toMatchObject({ code: 0, stderr: '' });
      expect(shown.stdout).toMatch(/^membership +pro until .*, canceled for then$/m);
      expect(shown.stdout).toMatch(/^tokens +40$/m);
      expect(shown.stdout).toMatch(/sub_1 +pro-monthly +active .*ends with its period$/m);
      expect(shown.stdout).toMatch(/^in_1 .*subscription_create +paid +£9\.99 +£9\.99 +1$/m);
      expect(shown.stdout).toMatch(
        /pi_1 +50 Tokens +£4\.99 +completed .*£0\.99 refunded, Your card was \\u001b/m,
      );
      expect(shown.stdout).toMatch(/^du_1 +in_1 +dispute +needs_response +£5\.00 +£9\.99 .*not yet$/m);
      expect(shown.stdout).toMatch(/^2 .*refund +-10 +40 /m);
      expect(shown.stdout).toMatch(/^evt_1 .*applied +3$/m);
      expect(shown.stdout).not.toContain('\u001b');
      expect(lastObject(await payments('show', EMAIL, '--json'))).toMatchObject({
        success: true,
        account: { email: EMAIL },
        membership: { tier: 'pro', cancelAtPeriodEnd: true },
        balance: 40,
        customers: [{ stripe_customer_id: CUSTOMER }],
        subscriptions: [{ stripe_subscription_id: 'sub_1' }],
        invoices: [{ id: 'in_1' }],
        reversals: [{ id: 'du_1', kind: 'dispute' }],
        purchases: [{ stripe_payment_intent_id: 'pi_1' }],
        ledger: [{ seq: 2 }, { seq: 1 }],
        events: [{ stripe_event_id: 'evt_1' }],
      });
      const unknown = await payments('show', 'bob@example.org', '--json');
      expect(unknown.code).toBe(1);
      expect(lastObject(unknown)).toMatchObject({ success: false, code: 'account_not_found' });
    }));

  it('lists events, and makes one that was given up pending again, with its job', () =>
    atTerminal(async (payments, { fixture }) => {
      expect((await payments('events')).stdout).toBe('No event has arrived yet.\n');
      await addEvent(fixture, 'evt_done', 'sent');
      expect((await payments('events', '--failed')).stdout).toBe('No event has failed.\n');
      await addEvent(fixture, 'evt_failed', 'dead');
      const listed = lastObject(await payments('events', '--failed', '--json'));
      expect(listed.events).toMatchObject([{ stripe_event_id: 'evt_failed' }]);

      expect(lastObject(await payments('retry', 'evt_done', '--json'))).toMatchObject({
        success: false,
        code: 'event_not_failed',
      });
      const nowhere = await payments('retry', 'evt_none', '--json');
      expect(nowhere.code).toBe(1);
      expect(lastObject(nowhere)).toMatchObject({ success: false, code: 'event_not_found' });

      const retried = await payments('retry', 'evt_failed');
      expect(retried).toEqual({
        code: 0,
        stdout: 'The event evt_failed is pending again; the daemon applies it.\n',
        stderr: '',
      });
      const row = await fixture.db
        .selectFrom('payment_events')
        .selectAll()
        .where('stripe_event_id', '=', 'evt_failed')
        .executeTakeFirstOrThrow();
      expect(row.status).toBe('pending');
      expect(Date.parse(row.expires_at)).toBeGreaterThan(Date.now() + DAY);
      const [job, ...more] = await (await fixture.queues.open('payments')).getWaiting();
      expect(more).toEqual([]);
      expect(job?.data).toEqual({ id: row.id, attempt: 4 });
      const audit = await fixture.db
        .selectFrom('audit_log')
        .select(['action', 'subject'])
        .where('action', '=', 'payments.retry')
        .execute();
      expect(audit).toEqual([{ action: 'payments.retry', subject: 'evt_failed' }]);
    }));

  it('reconciles what Stripe says of payments whose events were lost, and says which could not be read', () =>
    suite.run(
      async ({ fixture, runTool }) => {
        const { db, sandbox, config } = fixture;
        await addMember(fixture);
        if (config.stripe === null) throw new Error('payment is not set up');
        const payments: PaymentsContext = {
          db,
          clock: systemClock,
          mail: { enabled: true, notifyQueue: () => undefined },
          appUrl: config.appUrl,
          stripe: { client: createStripe(config.stripe), config: config.stripe },
        };
        const payer = { id: await addPayer(fixture, 'bob@example.org'), email: 'bob@example.org' };
        const { clientSecret } = await startTokenPurchase(payments, {
          account: payer,
          packageId: 'tokens-50',
        });
        await confirmCard(sandbox, clientSecret, CARDS.succeeds);

        sandbox.stripe.setFaults([{ kind: 'status', status: 503, persistent: true }]);
        const away = await runTool('payments', 'reconcile', payer.email, '--json');
        expect(away.code).toBe(1);
        expect(lastObject(away)).toMatchObject({
          success: false,
          read: 0,
          faults: expect.arrayContaining([
            expect.stringMatching(/^purchase [\w-]+: The payment service did not answer/),
          ]),
        });
        sandbox.stripe.setFaults([]);
        expect(await readBalance(db, { accountId: payer.id })).toBe(0);
        const repaired = await runTool('payments', 'reconcile', payer.email);
        expect(repaired).toMatchObject({ code: 0, stderr: '' });
        expect(repaired.stdout).toMatch(
          /^Read \d from Stripe: 1 changed, 0 could not be read or written\.$/m,
        );
        expect(await readBalance(db, { accountId: payer.id })).toBe(50);
        expect(repaired.stdout + away.stdout + away.stderr).not.toContain(clientSecret);
      },
      [],
      stripeVariables,
    ));

  it('adopts what a restored backup has lost, and accepts the key of another account only on the operator’s word', () =>
    suite.run(
      async ({ fixture, runTool }) => {
        const { db, environment } = fixture;
        const stripe = createStripe(stripeOf(fixture));
        const email = 'bob@example.org';
        const user = await addPayer(fixture, email);
        for (const owner of [user, newId()]) {
          const { id: customer } = await stripe.customers.create({ email });
          await stripe.paymentIntents.create({
            ...{ amount: 499, currency: 'gbp', customer, confirm: true, payment_method: 'pm_card_visa' },
            return_url: 'https://shop.test/back',
            metadata: { app: 'packwatch', kind: 'tokens', row: newId(), user: owner, package: 'tokens-50' },
          });
        }
        const listed = await runTool('payments', 'adopt');
        expect(listed).toMatchObject({ code: 0, stderr: '' });
        expect(listed.stdout).toMatch(/^pi_\w+ +tokens .*£4\.99 +succeeded +bob@example\.org +found$/m);
        expect(listed.stdout).toMatch(/left: the database has no account/);
        expect(listed.stdout).toContain('1 can be adopted, 1 are left as they are. Nothing has been written');
        expect(await readBalance(db, { accountId: user })).toBe(0);
        expect(lastObject(await runTool('payments', 'adopt', '--apply', '--json'))).toMatchObject({
          success: true,
          applied: true,
          objects: expect.arrayContaining([expect.objectContaining({ email, outcome: 'adopted' })]),
        });
        expect(await readBalance(db, { accountId: user })).toBe(50);
        expect((await runTool('payments', 'adopt', '--apply')).stdout).toContain(
          '0 were adopted, 1 are left',
        );

        environment.STRIPE_SECRET_KEY = ACCOUNTS.other.secret;
        environment.STRIPE_PUBLISHABLE_KEY = ACCOUNTS.other.publishable;
        for (const args of [['reconcile'], ['adopt'], ['adopt', '--apply']])
          expect(await runTool('payments', ...args)).toMatchObject({
            code: 1,
            ...(args[0] === 'adopt'
              ? { stderr: expect.stringContaining('is not the key of our account') }
              : {}),
          });
        expect((await runTool('packages', 'sync')).stderr).toContain('payments -- account accept');
        const shown = await runTool('payments', 'account');
        expect(shown.stdout).toMatch(/^database +acct_1Sandbox \(test mode\)$/m);
        expect(shown.stdout).toMatch(/^key +acct_1Elsewhere \(test mode\)$/m);
        expect(shown.stdout).toMatch(/^fault +account, since /m);
        expect((await runTool('payments', 'account', 'accept')).code).toBe(0);
        expect((await runTool('payments', 'account', 'accept')).stdout).toBe(
          'The database refers to acct_1Elsewhere (test mode) already.\n',
        );
        expect(lastObject(await runTool('payments', 'account', '--json'))).toMatchObject({
          stored: { id: 'acct_1Elsewhere', livemode: false },
          faults: [],
        });
        expect(await readBalance(db, { accountId: user })).toBe(50);
      },
      [],
      stripeVariables,
    ));

  it('says that payment is not set up when there is nothing to reconcile with', () =>
    atTerminal(async (payments, { fixture }) => {
      await addMember(fixture);
      for (const args of [['reconcile'], ['reconcile', EMAIL]]) {
        const answer = await payments(...args, '--json');
        expect(answer).toMatchObject({ code: 1, stderr: 'Payment is not set up here.\n' });
        expect(lastObject(answer)).toMatchObject({ success: false, code: 'payment_unavailable' });
      }
    }));
});
