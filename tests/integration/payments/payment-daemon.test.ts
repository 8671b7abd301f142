import { afterAll, beforeAll, expect, it } from 'vitest';
import { storeEvent } from '#shared/billing/store-event.server';
import { readConfig } from '#shared/config.server';
import { MINUTE, systemClock, toIso } from '#shared/clock';
import { newId } from '#shared/ids';
import { toDue } from '#shared/outbox/define-outbox';
import type { Payer, PaymentsContext } from '#shared/payments/payments-context';
import { createStripe } from '#shared/payments/stripe-client.server';
import { enqueueDue } from '#shared/queues/enqueue';
import { startTokenPurchase } from '#shared/tokens/buy-tokens.server';
import { readBalance } from '#shared/tokens/token-ledger';
import { signPayload } from '../../../sandbox/stripe/events/signature';
import { createDaemonSuite, type DaemonSuite, type TestContext } from '../daemon-suite';
import { eventually, type MonitorFixture } from '../monitor/monitor-fixture';
import { CARDS, confirmCard, stripeVariables } from './payments-fixture';

let suite: DaemonSuite;
beforeAll(async () => {
  suite = await createDaemonSuite();
});
afterAll(() => suite.close());

const withStripe = (test: (context: TestContext) => Promise<void>): Promise<void> =>
  suite.run(test, [], stripeVariables);

/** What the web process has: the same database, Redis and Stripe. */
function webOf(fixture: MonitorFixture): PaymentsContext {
  const { stripe } = readConfig(fixture.environment);
  if (stripe === null) throw new Error('the sandbox gives no Stripe');
  return {
    db: fixture.db,
    clock: systemClock,
    mail: { enabled: true, notifyQueue: () => undefined },
    appUrl: 'http://packwatch.test',
    stripe: { client: createStripe(stripe), config: stripe },
  };
}

async function addAccount({ db }: MonitorFixture): Promise<Payer> {
  const now = toIso(Date.now());
  const account = { id: newId(), email: `${newId()}@example.org` };
  await db
    .insertInto('users')
    .values({ ...account, username: 'Ann', created_at: now, updated_at: now })
    .execute();
  return account;
}

/** Pays for fifty tokens, and stores the event as the webhook does. `enqueue`: Redis is there. */
async function pay(
  fixture: MonitorFixture,
  account: Payer,
  { enqueue }: { enqueue: boolean },
): Promise<void> {
  const web = webOf(fixture);
  const { clientSecret } = await startTokenPurchase(web, { account, packageId: 'tokens-50' });
  await confirmCard(fixture.sandbox, clientSecret, CARDS.succeeds);
  const event = fixture.sandbox.stripe.events().findLast(({ type }) => type === 'payment_intent.succeeded');
  const body = JSON.stringify(event);
  const signature = signPayload(body, Math.floor(Date.now() / 1_000));
  const row = await storeEvent(web, { body: Buffer.from(body), signature });
  if (row !== null && enqueue) await enqueueDue(fixture.queues, 'payments', [toDue(row)], Date.now());
}

const untilCredited = ({ db }: MonitorFixture, { id }: Payer, tokens = 50): Promise<void> =>
  eventually(async () => expect(await readBalance(db, { accountId: id })).toBe(tokens));

it(
  'the daemon applies events from the queue, and those that the queue has lost; one that is killed loses none',
  () =>
    withStripe(async ({ fixture, startDaemon }) => {
      const daemon = await startDaemon();
      const [ann, bob, eve] = [
        await addAccount(fixture),
        await addAccount(fixture),
        await addAccount(fixture),
      ];
      await pay(fixture, ann, { enqueue: true });
      await pay(fixture, bob, { enqueue: false });
      await untilCredited(fixture, ann);
      await untilCredited(fixture, bob);

      // Killed while it waits for Stripe, with the event claimed and the customer's lease held.
      const { stripe } = fixture.sandbox;
      const web = webOf(fixture);
      const { clientSecret } = await startTokenPurchase(web, { account: eve, packageId: 'tokens-50' });
      await confirmCard(fixture.sandbox, clientSecret, CARDS.succeeds);
      stripe.setFaults([{ kind: 'hang', method: 'GET', path: '/v1/payment_intents', persistent: true }]);
      const event = stripe.events().findLast(({ type }) => type === 'payment_intent.succeeded');
      const body = JSON.stringify(event);
      await storeEvent(web, {
        body: Buffer.from(body),
        signature: signPayload(body, Math.floor(Date.now() / 1_000)),
      });
      const statusOf = async () =>
        fixture.db
          .selectFrom('payment_events')
          .select('status')
          .where('stripe_event_id', '=', event?.id ?? '')
          .executeTakeFirst();
      await eventually(async () => expect(await statusOf()).toEqual({ status: 'sending' }));
      await eventually(async () => {
        const { locked_by: lease } = await fixture.db
          .selectFrom('payment_customers')
          .select('locked_by')
          .where('user_id', '=', eve.id)
          .executeTakeFirstOrThrow();
        expect(lease).not.toBeNull();
      });
      await daemon.kill('SIGKILL');
      stripe.setFaults([]);
      await startDaemon();
      await eventually(async () => expect(await statusOf()).toEqual({ status: 'sent' }), 60_000);
      await untilCredited(fixture, eve);
      expect(await fixture.db.selectFrom('token_ledger').selectAll().execute()).toHaveLength(3);
    }),
  2 * MINUTE,
);
