import { createFaultQueue } from '../../fault-queue';
import { createRecentList, type Changes } from '../../service';
import type { Clock } from '../clock';
import { invalidRequest } from '../rest/stripe-error';
import type { DeliveryFault } from './delivery-fault';
import type { AnyEvent, EventLog } from './event-log';
import { signPayload } from './signature';

/** One attempt to deliver an event. */
export interface Delivery {
  eventId: string;
  type: string;
  /** Epoch milliseconds of real time. */
  sentAt: number;
  attempt: number;
  /** The endpoint's status; null when it did not respond. */
  status: number | null;
  /** Why there is no status; null otherwise. */
  failure: string | null;
  /** How long the endpoint took, in milliseconds. */
  tookMs: number;
}

/** `hold` keeps events back until `send`, so that a test can choose their order. */
export type DeliveryMode = 'send' | 'hold';

/**
 * Waits between attempts, in seconds of the test clock. Stripe retries for up to three days with growing waits and
 * publishes no schedule (docs.stripe.com/webhooks, "Automatic retries"); the first waits are short here, so that an app
 * that restarts gets what it missed.
 */
const RETRY_WAITS_S = [5, 30, 300, 3_600, 10_800, 43_200, 86_400, 86_400];
const RESPONSE_TIMEOUT_MS = 20_000;
const MAX_PARALLEL = 8;
const MAX_DELIVERIES = 5_000;

interface Job {
  event: AnyEvent;
  attempt: number;
  fault: DeliveryFault | undefined;
}

/** Delivers events to the endpoint: signed, in parallel and thus in any order, and again unless it responds with 2xx. */
export function createDelivery(clock: Clock, log: EventLog, changes: Changes) {
  const faults = createFaultQueue<DeliveryFault>();
  const deliveries = createRecentList<Delivery>(MAX_DELIVERIES);
  const timers = new Set<NodeJS.Timeout>();
  let endpoint: string | null = null;
  let mode: DeliveryMode = 'send';
  let held: AnyEvent[] = [];
  let waiting: Job[] = [];
  let retries: { job: Job; due: number }[] = [];
  let running = 0;
  let stop = new AbortController();
  let idleListeners: (() => void)[] = [];

  log.onEvent((event) => {
    if (endpoint === null) return;
    event.pending_webhooks = 1;
    if (mode === 'hold') held.push(event);
    else enqueue(event);
  });

  function enqueue(event: AnyEvent): void {
    const fault = faults.take(({ type }) => type === undefined || type === event.type);
    if (fault?.kind === 'drop') return;
    const job: Job = { event, attempt: 1, fault };
    const times = fault?.kind === 'duplicate' ? 2 : 1;
    if (fault?.kind === 'delay') later(fault.ms, () => push(job));
    else for (let copy = 0; copy < times; copy += 1) push(job);
  }

  function later(ms: number, run: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      run();
    }, ms);
    timer.unref();
    timers.add(timer);
  }

  function push(job: Job): void {
    waiting.push(job);
    // Not inside the handler that caused the event, because it may still change the store.
    setImmediate(startDeliveries);
  }

  function startDeliveries(): void {
    while (running < MAX_PARALLEL) {
      const job = waiting.shift();
      if (!job) break;
      running += 1;
      void deliver(job).finally(() => {
        running -= 1;
        startDeliveries();
      });
    }
    if (running === 0 && waiting.length === 0) {
      const listeners = idleListeners;
      idleListeners = [];
      for (const listener of listeners) listener();
    }
  }

  async function deliver(job: Job): Promise<void> {
    const { event, attempt } = job;
    const target = endpoint;
    const { signal } = stop;
    if (target === null) return;
    const started = performance.now();
    const entry: Delivery = {
      eventId: event.id,
      type: event.type,
      sentAt: Date.now(),
      attempt,
      status: null,
      failure: null,
      tookMs: 0,
    };
    try {
      const response = await post(
        target,
        job,
        AbortSignal.any([signal, AbortSignal.timeout(RESPONSE_TIMEOUT_MS)]),
      );
      entry.status = response.status;
      await response.arrayBuffer();
    } catch (error) {
      if (signal.aborted) return;
      entry.failure = describeFailure(error);
    }
    if (signal.aborted) return;
    entry.tookMs = Math.round(performance.now() - started);
    deliveries.add(entry);
    changes.mark();
    if (entry.status !== null && entry.status >= 200 && entry.status < 300) event.pending_webhooks = 0;
    else retryLater(job);
  }

  function post(target: string, { event, fault }: Job, signal: AbortSignal): Promise<Response> {
    const body = JSON.stringify(event, null, 2);
    const age = fault?.kind === 'late-signature' ? fault.seconds : 0;
    const secret = fault?.kind === 'forge' ? 'whsec_forged' : undefined;
    return fetch(target, {
      method: 'POST',
      body,
      signal,
      // For Stripe a redirect is a failure.
      redirect: 'manual',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        'stripe-signature': signPayload(body, Math.floor(Date.now() / 1000) - age, secret),
      },
    });
  }

  function retryLater({ event, attempt }: Job): void {
    const wait = RETRY_WAITS_S[attempt - 1];
    if (wait === undefined) return;
    retries.push({ job: { event, attempt: attempt + 1, fault: undefined }, due: clock.now() + wait });
    later(wait * 1000, clock.catchUp);
  }

  clock.addSchedule({
    nextDue: () => (retries.length === 0 ? null : Math.min(...retries.map(({ due }) => due))),
    run() {
      const now = clock.now();
      const due = retries.filter((retry) => retry.due <= now);
      retries = retries.filter((retry) => retry.due > now);
      for (const { job } of due) push(job);
    },
  });

  function cancelAll(): void {
    stop.abort();
    stop = new AbortController();
    for (const timer of timers) clearTimeout(timer);
    timers.clear();
    waiting = [];
    retries = [];
    held = [];
  }

  return {
    /** The endpoint of events; null sends none. A reset keeps it. */
    setEndpoint(url: string | null): void {
      endpoint = url;
      changes.mark();
    },
    endpoint: () => endpoint,
    setMode(next: DeliveryMode): void {
      mode = next;
      if (mode === 'send') for (const event of held.splice(0)) enqueue(event);
      changes.mark();
    },
    mode: () => mode,
    /** The events that wait for `send`, oldest first. */
    held: (): AnyEvent[] => [...held],
    /**
     * Sends events now, each once more if it was sent before, in this order.
     * @throws StripeError when the log has no such event
     */
    send(ids: readonly string[]): void {
      for (const id of ids) {
        const event = log.find(id);
        if (!event) throw invalidRequest(`no event has the id ${id}`);
        held = held.filter((candidate) => candidate !== event);
        enqueue(event);
      }
    },
    /** Sends the events that no endpoint has accepted, as after a restart. */
    sendPending(): void {
      if (endpoint === null) return;
      for (const event of log.list()) if (event.pending_webhooks > 0 && !held.includes(event)) enqueue(event);
    },
    setFaults(next: readonly DeliveryFault[]): void {
      faults.set(next);
      changes.mark();
    },
    faults: () => faults.list(),
    /** The last attempts, oldest first. */
    list: (): Delivery[] => deliveries.list(),
    /** Resolves when no delivery is running or queued; planned retries and delayed events do not count. */
    idle: (): Promise<void> =>
      new Promise((resolve) => {
        idleListeners.push(resolve);
        setImmediate(startDeliveries);
      }),
    reset(): void {
      cancelAll();
      mode = 'send';
      faults.set([]);
      deliveries.clear();
    },
    close: cancelAll,
  };
}

function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
