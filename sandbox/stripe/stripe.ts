import type { RequestContext } from '../http/app';
import type { Changes, Service } from '../service';
import { createBilling } from './billing/billing';
import { createClock } from './clock';
import { createDelivery } from './events/delivery';
import { createEventLog, type AnyEvent } from './events/event-log';
import { ACCOUNTS, type AccountKeys } from './keys';
import { CHARGE_ROUTES } from './payments/charges';
import { customerRoutes, type CustomerDeletionListener } from './payments/customers';
import { closeDispute, DISPUTE_ROUTES, openDispute } from './payments/disputes';
import { paymentIntentRoutes } from './payments/payment-intent-routes';
import { createPaymentIntents } from './payments/payment-intents';
import { PAYMENT_METHOD_ROUTES } from './payments/payment-method-routes';
import { chargeToRefund, REFUND_ROUTES, refundCharge, refundsOf } from './payments/refunds';
import type { Includables } from './rest/expand';
import type { SavedRequest } from './rest/idempotency';
import { createKeyRing } from './rest/key-ring';
import { route, type Route } from './rest/rest';
import { createApi, type Cause } from './rest/serve';
import { createStore } from './store';

/** How many requests and events the panel's state holds. */
const STATE_LENGTH = 50;

interface AccountOptions {
  account: AccountKeys;
  serveOther(key: string, context: RequestContext): Promise<Response> | null;
}

/** `GET /v1/account`: the account of the key (docs.stripe.com/api/accounts/retrieve). */
function accountRoute({ id }: AccountKeys): Route {
  return route({
    method: 'GET',
    path: '/v1/account',
    run: () => ({ id, object: 'account', charges_enabled: true, country: 'GB', default_currency: 'gbp' }),
  });
}

/** One account at Stripe in one mode: objects, test clock, the API under `/v1/` and events. */
function createAccount(changes: Changes, origin: () => string, { account, serveOther }: AccountOptions) {
  const clock = createClock();
  const store = createStore(clock);
  let cause: () => Cause = () => ({ id: null, idempotency_key: null });
  const events = createEventLog(store, () => cause());
  const delivery = createDelivery(clock, events, changes);
  const intents = createPaymentIntents(store, origin);
  intents.onDisputedCard((charge) => void openDispute(store, charge));
  const beforeCustomerDeletion: CustomerDeletionListener[] = [];
  /** Fields that a response holds only on `expand`, by `kind.field`. Billing adds its own. */
  const includables: Includables = new Map([['charge.refunds', (charge) => refundsOf(store, charge)]]);
  const billing = createBilling(store, { intents, origin, includables });
  beforeCustomerDeletion.push(billing.endSubscriptionsOf);
  const routes: Route[] = [
    accountRoute(account),
    ...customerRoutes(beforeCustomerDeletion),
    ...PAYMENT_METHOD_ROUTES,
    ...paymentIntentRoutes(intents),
    ...CHARGE_ROUTES,
    ...REFUND_ROUTES,
    ...DISPUTE_ROUTES,
    ...billing.routes,
    ...events.routes,
  ];
  const keyRing = createKeyRing(account);
  const api = createApi({ account, keyRing, serveOther, store, routes, includables, changes });
  cause = api.cause;

  const service: Service = {
    name: 'stripe',
    app: api.app,
    state: () => ({
      now: clock.now(),
      endpoint: delivery.endpoint(),
      mode: delivery.mode(),
      faults: api.faults(),
      deliveryFaults: delivery.faults(),
      requests: api.requests().slice(-STATE_LENGTH),
      events: events
        .list()
        .slice(-STATE_LENGTH)
        .map(({ id, type, created, pending_webhooks: pending }) => ({ id, type, created, pending })),
      deliveries: delivery.list().slice(-STATE_LENGTH),
    }),
    reset() {
      delivery.reset();
      clock.reset();
      store.reset();
      events.reset();
      api.reset();
      changes.mark();
    },
  };

  return {
    service,
    account,
    /** The requests that the API serves, such as `GET /v1/customers/:id`. */
    served: routes.map(({ method, path }) => `${method} ${path}`),
    handle: api.handle,
    /** Makes a restricted key. @param permissions such as `customer_write`, which includes `customer_read` */
    restrict: keyRing.restrict,
    hasKey: (key: string) => keyRing.find(key) !== null,
    /** Removes an object without a trace, as Stripe removes test data. @returns whether it existed */
    forget(id: string): boolean {
      changes.mark();
      return store.forget(id);
    },
    store,
    intents,
    /** The store as the functions of billing/ take it. */
    billing: billing.store,
    /** Epoch seconds of the test clock. */
    now: clock.now,
    /** Moves the test clock forward by whole seconds and runs the work that falls due on the way. */
    advance(seconds: number): void {
      clock.advance(seconds);
      changes.mark();
    },
    /** Refunds a charge, or the latest one of a payment intent. @param amount pence; absent: all that is left */
    refund(id: string, amount?: number) {
      changes.mark();
      return refundCharge(store, chargeToRefund(store, id), amount);
    },
    /** Opens a dispute over a charge, or the latest one of a payment intent. */
    openDispute(id: string, options: { reason?: string; amount?: number } = {}) {
      changes.mark();
      return openDispute(store, chargeToRefund(store, id), options);
    },
    /** The bank decides a dispute. */
    closeDispute(id: string, status: 'won' | 'lost') {
      changes.mark();
      return closeDispute(store, store.require('dispute', id), status);
    },
    /** The buyer passes or fails the bank's challenge for a payment intent. */
    finishChallenge(id: string, passed: boolean) {
      changes.mark();
      return intents.finishChallenge(id, passed);
    },
    /** Every event, oldest first. */
    events: events.list,
    requests: api.requests,
    clearRequests: api.clearRequests,
    /** The requests that violate Stripe's own description of its API, oldest first. */
    violations: () => api.requests().filter(({ violation }) => violation !== null),
    faults: api.faults,
    setFaults: api.setFaults,
    /** The endpoint of events, and how they are delivered. */
    webhooks: delivery,
    /** The state that must survive a restart. */
    snapshot: (): StripeSnapshot => ({
      clockOffset: clock.offset(),
      store: store.snapshot(),
      events: events.snapshot(),
      idempotencyKeys: api.snapshot(),
    }),
    /** Restores a snapshot, and sends the events that were not delivered. */
    restore(saved: StripeSnapshot): void {
      store.restore(saved.store);
      clock.setOffset(saved.clockOffset);
      events.restore(saved.events);
      api.restore(saved.idempotencyKeys);
      delivery.sendPending();
    },
    /** Ends timers and running deliveries. */
    close: delivery.close,
  };
}

type StripeAccountSandbox = ReturnType<typeof createAccount>;
type OtherAccount = Exclude<keyof typeof ACCOUNTS, 'own'>;

/**
 * The sandbox's Stripe: its own account in test mode, with the operations of tests and of the panel. The keys of the
 * other accounts in `keys.ts` reach objects of their own.
 * @param origin the sandbox's origin, known once it listens
 */
export function createStripe(changes: Changes, origin: () => string) {
  const others = new Map<OtherAccount, StripeAccountSandbox>();
  const other = (name: OtherAccount): StripeAccountSandbox => {
    const known =
      others.get(name) ?? createAccount(changes, origin, { account: ACCOUNTS[name], serveOther: () => null });
    others.set(name, known);
    return known;
  };
  const own = createAccount(changes, origin, {
    account: ACCOUNTS.own,
    serveOther(key, context) {
      const owner = [other('live'), other('other')].find(({ hasKey }) => hasKey(key));
      return owner?.handle(context) ?? null;
    },
  });
  return {
    ...own,
    /** Another account, or the live mode of this one. */
    other,
    close(): void {
      own.close();
      for (const one of others.values()) one.close();
    },
    service: {
      ...own.service,
      reset(): void {
        own.service.reset();
        for (const one of others.values()) one.service.reset();
      },
    },
  };
}

interface StripeSnapshot {
  clockOffset: number;
  store: unknown;
  events: AnyEvent[];
  idempotencyKeys: [string, SavedRequest][];
}

export type StripeSandbox = ReturnType<typeof createStripe>;
