import type { Changes, Service } from '../service';
import { createClock } from './clock';
import { customerRoutes, type CustomerDeletionListener } from './payments/customers';
import type { Includables } from './rest/expand';
import type { Route } from './rest/rest';
import { createApi } from './rest/serve';
import { createStore } from './store';

/** The sandbox's Stripe: the store, its API under `/v1/`, and the operations of tests. */
export function createStripe(changes: Changes) {
  const clock = createClock();
  const store = createStore(clock);
  const beforeCustomerDeletion: CustomerDeletionListener[] = [];
  /** Fields that an answer holds only on `expand`, by `kind.field`. Billing adds its own. */
  const includables: Includables = new Map();
  const routes: Route[] = [...customerRoutes(beforeCustomerDeletion)];
  const api = createApi(store, routes, includables, changes);

  const service: Service = {
    name: 'stripe',
    app: api.app,
    state: () => ({ now: clock.now(), requests: api.requests().slice(-50) }),
    reset() {
      clock.reset();
      store.reset();
      api.reset();
      changes.mark();
    },
  };

  return {
    service,
    store,
    /** Epoch seconds of the test clock. */
    now: clock.now,
    /** Moves the test clock forward by whole seconds and plays what falls due. */
    advance(seconds: number): void {
      clock.advance(seconds);
      changes.mark();
    },
    requests: api.requests,
    clearRequests: api.clearRequests,
  };
}

export type StripeSandbox = ReturnType<typeof createStripe>;
