import type Stripe from 'stripe';
import { createRecentList } from '../../service';
import { API_VERSION } from '../keys';
import { isInRange, listOf } from '../rest/list';
import { route, type Route } from '../rest/rest';
import type { Store } from '../store';

/** An event in the general shape: the SDK's union has a member for each type. */
export type AnyEvent = Stripe.EventBase & { data: { object: object; previous_attributes?: object } };

const MAX_EVENTS = 20_000;
/** How many events survive a restart. */
const MAX_SAVED_EVENTS = 500;

/**
 * Every event, as it was when it happened.
 * @param cause the API request that is running, for the event's `request`; nulls when the clock or a page caused it
 */
export function createEventLog(
  store: Store,
  cause: () => { id: string | null; idempotency_key: string | null },
) {
  const events = createRecentList<AnyEvent>(MAX_EVENTS);
  const listeners: ((event: AnyEvent) => void)[] = [];

  store.onEvent((type, object, previous) => {
    const event: AnyEvent = {
      id: store.newToken('evt'),
      object: 'event',
      api_version: API_VERSION,
      created: store.now(),
      data: {
        object: structuredClone(object),
        ...(previous === undefined ? {} : { previous_attributes: structuredClone(previous) }),
      },
      livemode: false,
      pending_webhooks: 0,
      request: cause(),
      type: type as Stripe.EventBase['type'],
    };
    events.add(event);
    for (const listener of listeners) listener(event);
  });

  const list = (): AnyEvent[] => events.list();
  const find = (id: string): AnyEvent | undefined => list().find((event) => event.id === id);

  const routes: Route[] = [
    route<Stripe.EventListParams>({
      method: 'GET',
      path: '/v1/events',
      implemented: ['type', 'types', 'created', 'delivery_success'],
      run(call) {
        const { type, types, created, delivery_success: delivered } = call.params;
        const found = list()
          .reverse()
          .filter(
            (event) =>
              fitsType(event.type, type) &&
              (types === undefined || types.some((wanted) => fitsType(event.type, wanted))) &&
              (created === undefined || isInRange(event.created, created)) &&
              (delivered === undefined || (event.pending_webhooks === 0) === delivered),
          );
        return listOf(call, found);
      },
    }),
  ];

  return {
    routes,
    /** Oldest first. */
    list,
    find,
    onEvent: (listener: (event: AnyEvent) => void) => void listeners.push(listener),
    /** The newest events, for `restore` after a restart. */
    snapshot: (): AnyEvent[] => list().slice(-MAX_SAVED_EVENTS),
    restore(saved: readonly AnyEvent[]): void {
      for (const event of saved) events.add(event);
    },
    reset: () => events.clear(),
  };
}

export type EventLog = ReturnType<typeof createEventLog>;

/** A filter is a type, or a group such as `charge.*`. */
function fitsType(type: string, wanted: string | undefined): boolean {
  if (wanted === undefined || wanted === '*') return true;
  return wanted.endsWith('.*') ? type.startsWith(wanted.slice(0, -1)) : type === wanted;
}
