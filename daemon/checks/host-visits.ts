import { setTimeout as sleep } from 'node:timers/promises';
import pLimit, { type LimitFunction } from 'p-limit';
import type { Clock } from '#shared/clock';
import type { Database } from '#shared/database/schema';
import { LEASE_LIFETIME_MS } from '#shared/monitor/checks/check-lease';
import {
  hostOf,
  returnHostTurn,
  takeHostTurn,
  type Host,
  type HostAnswer,
} from '#shared/monitor/hosts/host-turns';
import type { Robots } from '#shared/monitor/hosts/read-robots.server';
import { needsRobots, robotsRefusal, storeRobots } from '#shared/monitor/hosts/stored-robots';
import type { Logger } from '#shared/logger.server';

/** Requests the robots.txt of a page's host. */
export type ReadRobots = (pageUrl: string, stop: AbortSignal) => Promise<Robots>;

export interface VisitRequest {
  pageUrl: string;
  /** Whether the host is visited in its pause, too: an admin wants it. */
  ignoresPause: boolean;
  signal: AbortSignal;
}

/** What a visitor may do, and has to tell. */
export interface Visit {
  host: Host;
  /** Why robots.txt keeps us from an address of the host: a sentence, or null. */
  robotsRefusal(url: string): string | null;
  /** Notes what the host answered to the request. */
  note(answer: HostAnswer): void;
}

/** Visits of hosts, one at a time per host over all daemons, spaced and paused as `takeHostTurn` says. */
export interface HostVisits {
  /**
   * Waits for the turn of a page's host and calls `work`, which makes one request. Before it, reads the host's robots.txt
   * when that is due, in a separate turn. Resolves with null when the turn did not come within a minute.
   */
  visit<T>(request: VisitRequest, work: (visit: Visit) => Promise<T>): Promise<T | null>;
}

export function createHostVisits({
  db,
  clock,
  owner,
  readRobots,
  logger,
}: {
  db: Database;
  clock: Clock;
  owner: string;
  readRobots: ReadRobots;
  logger: Logger;
}): HostVisits {
  /** The visits of this process, by host, in the order in which they came. */
  const queues = new Map<string, LimitFunction>();

  async function takeTurn(host: string, { ignoresPause, signal }: VisitRequest): Promise<Host | null> {
    const giveUpAt = performance.now() + LEASE_LIFETIME_MS;
    for (;;) {
      const turn = await takeHostTurn(db, { host, owner, clock, ignoresPause });
      if (!('waitMs' in turn)) return turn;
      if (performance.now() + turn.waitMs > giveUpAt) return null;
      await sleep(turn.waitMs, undefined, { signal });
    }
  }

  /** Calls `work` within a turn; null when there is none. A turn that cannot be returned expires. */
  async function withinTurn<T>(
    host: string,
    request: VisitRequest,
    work: (turn: Host, note: (answer: HostAnswer) => void) => Promise<T>,
  ): Promise<T | null> {
    const turn = await takeTurn(host, request);
    if (turn === null) return null;
    let answer: HostAnswer = { kind: 'nothing', askedPauseMs: 0 };
    try {
      return await work(turn, (given) => (answer = given));
    } finally {
      await returnHostTurn(db, turn, { answer, now: clock.now() }).catch((error: unknown) =>
        logger.debug({ err: error, host }, 'could not return the turn of a host'),
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
            const done = await withinTurn(host, request, async (turn, note) => {
              if (!needsRobots(turn, clock.now()))
                return {
                  result: await work({ host: turn, robotsRefusal: (url) => robotsRefusal(turn, url), note }),
                };
              const robots = await readRobots(pageUrl, signal);
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
