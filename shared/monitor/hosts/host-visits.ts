import { setTimeout as sleep } from 'node:timers/promises';
import pLimit, { type LimitFunction } from 'p-limit';
import type { Clock } from '../../clock';
import type { Database } from '../../database/schema';
import { LEASE_LIFETIME_MS } from '../checks/check-lease';
import {
  hostOf,
  nextSpacingMs,
  returnHostTurn,
  takeHostTurn,
  type Host,
  type HostAnswer,
  type SentRequests,
} from './host-turns';
import type { Robots } from './read-robots.server';
import { needsRobots, robotsRefusal, storeRobots } from './stored-robots';

/** Requests the robots.txt of a page's host. */
export type ReadRobots = (pageUrl: string, stop: AbortSignal) => Promise<Robots>;

export interface VisitRequest {
  pageUrl: string;
  /** Whether the host is visited in its pause, too: an admin wants it. */
  ignoresPause: boolean;
  /** How long to wait for the turn; by default a minute. */
  waitMs?: number;
  signal: AbortSignal;
}

/** The interface of a visitor in its turn. */
export interface Visit {
  host: Host;
  /** Why robots.txt keeps us from an address of the host: a sentence, or null. */
  robotsRefusal(url: string): string | null;
  /** Call it when a request is sent: the next one waits from then on. */
  onRequest(): void;
  /** Waits until a further request may be sent within the turn. Rejects when `signal` aborts. */
  waitForNext(signal: AbortSignal): Promise<void>;
  /** Notes what the host answered to the request. */
  note(answer: HostAnswer): void;
}

/** Visits of hosts, one at a time per host over all processes, spaced and paused as `takeHostTurn` says. */
export interface HostVisits {
  /**
   * Waits for the turn of a page's host and calls `work`, which makes one request. Before it, reads the host's robots.txt
   * when that is due, in a separate turn. Resolves with null when the turn does not come in time.
   */
  visit<T>(request: VisitRequest, work: (visit: Visit) => Promise<T>): Promise<T | null>;
}

export function createHostVisits({
  db,
  clock,
  owner,
  readRobots,
  onFault,
}: {
  db: Database;
  clock: Clock;
  /** Identifies this process, or this visit, in the lease of a turn. */
  owner: string;
  readRobots: ReadRobots;
  /** Called when a turn cannot be returned; it expires then. */
  onFault?: (error: unknown, host: string) => void;
}): HostVisits {
  /** The visits of this process, by host, in the order in which they came. */
  const queues = new Map<string, LimitFunction>();

  async function takeTurn(
    host: string,
    { ignoresPause, waitMs = LEASE_LIFETIME_MS, signal }: VisitRequest,
  ): Promise<Host | null> {
    const giveUpAt = performance.now() + waitMs;
    for (;;) {
      const turn = await takeHostTurn(db, { host, owner, clock, ignoresPause });
      if (!('waitMs' in turn)) return turn;
      if (performance.now() + turn.waitMs > giveUpAt) return null;
      await sleep(turn.waitMs, undefined, { signal });
    }
  }

  /** Calls `work` within a turn; null when there is none. */
  async function withinTurn<T>(
    host: string,
    request: VisitRequest,
    work: (visit: Visit) => Promise<T>,
  ): Promise<T | null> {
    const turn = await takeTurn(host, request);
    if (turn === null) return null;
    let answer: HostAnswer = { kind: 'nothing', askedPauseMs: 0 };
    let sent: SentRequests | null = null;
    const visit: Visit = {
      host: turn,
      robotsRefusal: (url) => robotsRefusal(turn, url),
      onRequest() {
        sent = { lastAt: clock.now(), count: (sent?.count ?? 0) + 1 };
      },
      async waitForNext(signal) {
        if (sent === null) return;
        const untilMs = sent.lastAt + sent.count * nextSpacingMs(turn) - clock.now();
        await sleep(Math.max(0, untilMs), undefined, { signal });
        sent = null;
      },
      note: (given) => (answer = given),
    };
    try {
      return await work(visit);
    } finally {
      await returnHostTurn(db, turn, { answer, sent, now: clock.now() }).catch((error: unknown) =>
        onFault?.(error, host),
      );
    }
  }

  return {
    async visit(request, work) {
      const { pageUrl, signal } = request;
      const host = hostOf(pageUrl);
      const queue = queues.get(host) ?? pLimit(1);
      queues.set(host, queue);
      try {
        return await queue(async () => {
          signal.throwIfAborted();
          for (;;) {
            const done = await withinTurn(host, request, async (visit) => {
              if (!needsRobots(visit.host, clock.now())) return { result: await work(visit) };
              const robots = await readRobots(pageUrl, signal);
              // Counted from the answer: when its last redirect was requested is not known.
              visit.onRequest();
              // The delay that it asks for holds for the next request already.
              if (robots.kind === 'rules') visit.host.robots_delay_ms = robots.rules.delayMs;
              await storeRobots(db, { host, robots, now: clock.now() });
              return 'read';
            });
            if (done === null) return null;
            if (done !== 'read') return done.result;
          }
        });
      } finally {
        if (queue.activeCount + queue.pendingCount === 0) queues.delete(host);
      }
    },
  };
}
