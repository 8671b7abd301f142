import { pino } from 'pino';
import Stripe from 'stripe';
import { createEventSender } from '#shared/billing/apply-event.server';
import { storeEvent } from '#shared/billing/store-event.server';
import { toIso, type Clock } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import { createWriteRetrier } from '#shared/database/write-retrier';
import { newId } from '#shared/ids';
import type { Payer, PaymentsContext } from '#shared/payments/payments-context';
import { STRIPE_API_VERSION } from '#shared/payments/stripe-client.server';
import { syncPackages } from '#shared/subscriptions/packages/sync-packages.server';
import { createMainApp } from '../../../sandbox/http/server';
import { createChanges } from '../../../sandbox/service';
import { signPayload } from '../../../sandbox/stripe/events/signature';
import { API_KEYS, WEBHOOK_SECRET } from '../../../sandbox/stripe/keys';
import { createStripe, type StripeSandbox } from '../../../sandbox/stripe/stripe';
import { createTestDatabase } from '../database';
import { attempt, attemptDue } from '../../attempt';

const ORIGIN = 'http://stripe.test';
type StripeEvent = ReturnType<StripeSandbox['events']>[number];

export interface StripeInProcess {
  db: Database;
  stripe: StripeSandbox;
  /** A client with the secret key. */
  client: Stripe;
  /** Another client of the same Stripe, by its secret key. */
  connect(key: string): Stripe;
  context: PaymentsContext;
  clock: Clock;
  /** Adds an account. */
  payer(): Promise<Payer>;
  /** Sends an event to the product, as the webhook does, and applies what it stored. */
  deliver(
    event: StripeEvent,
    options?: { secret?: string; ageSeconds?: number; body?: string },
  ): Promise<void>;
  /** Attempts all due events, as the daemon does. */
  applyDue(): Promise<void>;
  /** The events since the last call, oldest first. */
  takeEvents(): StripeEvent[];
  /** Pays a payment, or tries to, with a test card such as `pm_card_visa`; returns its status. */
  pay(clientSecret: string, card?: string): Promise<string>;
  /** The templates of an account's mails with their facts, oldest first. */
  mails(account: Payer): Promise<Record<string, unknown>[]>;
  /** Empties Stripe, sets its clock back and creates the prices of the packages again. */
  restartStripe(): Promise<void>;
  /** Called at each request of the product. */
  onRequest: () => void;
  cleanup(): Promise<void>;
}

/**
 * A database, and the product's payments against the sandbox's Stripe in this process, without a network. `permissions`: of
 * a restricted key, such as `customer_write`; absent for the secret key.
 */
export async function createStripeInProcess({
  permissions,
}: { permissions?: readonly string[] } = {}): Promise<StripeInProcess> {
  const { db, cleanup } = await createTestDatabase();
  const stripe = createStripe(createChanges(), () => ORIGIN);
  if (stripe.service.app === undefined) throw new Error('Stripe has no API');
  const api = createMainApp([stripe.service.app]);
  const clock: Clock = { now: () => stripe.now() * 1_000 };
  const secretKey = permissions === undefined ? API_KEYS.secret : stripe.restrict(permissions);
  const connect = (key: string): Stripe =>
    new Stripe(key, {
      apiVersion: STRIPE_API_VERSION,
      maxNetworkRetries: 0,
      telemetry: false,
      httpClient: Stripe.createFetchHttpClient((url: string | URL | Request, init?: RequestInit) => {
        world.onRequest();
        return Promise.resolve(api.fetch(new Request(url, init)));
      }),
    });
  const client = connect(API_KEYS.secret);
  const config = {
    secretKey,
    publishableKey: API_KEYS.publishable,
    webhookSecret: WEBHOOK_SECRET,
    apiUrl: ORIGIN,
    jsUrl: ORIGIN,
  };
  const context: PaymentsContext = {
    db,
    clock,
    mail: { enabled: true, notifyQueue: () => undefined },
    appUrl: 'http://packwatch.test',
    stripe: { client: permissions === undefined ? client : connect(secretKey), config },
  };
  const sender = createEventSender({
    db,
    clock,
    payments: context,
    adminContacts: { emails: ['ops@example.org'] },
    logger: pino({ level: 'silent' }),
    owner: 'the daemon of the tests',
    outcomes: createWriteRetrier({ onWait: () => undefined }),
  });
  let seen = 0;

  const world: StripeInProcess = {
    onRequest: () => undefined,
    db,
    stripe,
    client,
    connect,
    context,
    clock,
    async payer() {
      const now = toIso(clock.now());
      const id = newId();
      const email = `${id}@example.org`;
      await db
        .insertInto('users')
        .values({ id, email, username: 'Ann', created_at: now, updated_at: now })
        .execute();
      return { id, email };
    },
    async deliver(event, { secret = WEBHOOK_SECRET, ageSeconds = 0, body = JSON.stringify(event) } = {}) {
      const signature = signPayload(JSON.stringify(event), stripe.now() - ageSeconds, secret);
      const row = await storeEvent(context, { body: Buffer.from(body), signature });
      if (row !== null) await attempt(sender, row.id);
    },
    async applyDue() {
      await attemptDue(sender);
    },
    takeEvents() {
      const events = stripe.events();
      const fresh = events.slice(seen);
      seen = events.length;
      return fresh;
    },
    async pay(clientSecret, card = 'pm_card_visa') {
      const [id = ''] = clientSecret.split('_secret_');
      try {
        const params = { payment_method: card, return_url: `${ORIGIN}/back` };
        return (await client.paymentIntents.confirm(id, params)).status;
      } catch (error) {
        if (error instanceof Stripe.errors.StripeCardError) return 'declined';
        throw error;
      }
    },
    async mails({ email }) {
      const rows = await db
        .selectFrom('mails')
        .select('data')
        .where('recipient', '=', email)
        .orderBy('created_at')
        .orderBy('template')
        .execute();
      return rows.map(({ data }) => JSON.parse(data ?? '{}') as Record<string, unknown>);
    },
    async restartStripe() {
      stripe.service.reset();
      seen = 0;
      await syncPackages(context, { recreate: true });
    },
    async cleanup() {
      stripe.close();
      await cleanup();
    },
  };
  return world;
}
