import pLimit from 'p-limit';
import { MINUTE, SECOND, type Clock } from '#shared/clock';
import type { Database } from '#shared/database/schema';
import type { Logger } from '#shared/logger.server';
import { settingsOf } from '#shared/monitor/monitor-settings';
import { isWithinHours, nextWindowStart } from '#shared/monitor/monitoring-hours';
import { hostOf } from '#shared/monitor/hosts/host-turns';
import {
  byHostOf,
  listDueProducts,
  pauseEndOf,
  postponeProduct,
  readHostLoads,
  type HostLoad,
  type ScheduledProduct,
} from '#shared/monitor/product-schedule';
import { FREE_PACE, type HostPace } from '#shared/monitor/product-timing';
import { repeat } from '#shared/repeat';
import type { CheckRequest, CheckResult } from './run-check';

/** How often due products are looked for. */
const LOOK_EVERY_MS = SECOND / 2;
/** How often the load of the hosts is read, which decides their pace. */
const READ_LOADS_EVERY_MS = 10 * SECOND;
/** Hosts that are checked at the same time. Each may hold a page of 5 MiB, and one that hangs stays here for 40 seconds. */
const HOSTS_AT_ONCE = 100;
/** A check that ended without a verdict is made again after this long, so that it does not hold up its host. */
const FAILED_FOR_MS = MINUTE;

/** Runs the checks of products. */
export interface ProductLane {
  /** The pace of the host of an address, as it was last read. */
  paceOf(url: string): HostPace;
  start(): void;
  /** Begins no more checks; resolves when the running ones end. */
  stop(): Promise<void>;
}

interface ProductLaneContext {
  db: Database;
  clock: Clock;
  logger: Logger;
  /** Awaited before a stored time is compared with now. */
  handleClockStep: () => Promise<void>;
  check: (request: CheckRequest) => Promise<CheckResult>;
  /** Aborts the running checks. */
  signal: AbortSignal;
}

/**
 * Runs the checks of products when they are due, without Redis and beside those of waiting rooms: one at a time per host,
 * the one that is due longest first. A host that hangs or pauses delays no other.
 */
export function createProductLane({
  db,
  clock,
  logger,
  handleClockStep,
  check,
  signal,
}: ProductLaneContext): ProductLane {
  const limit = pLimit(HOSTS_AT_ONCE);
  /** The due watches by host, the one that is due longest first. */
  let due = new Map<string, ScheduledProduct[]>();
  let loads = new Map<string, HostLoad>();
  let loadsReadAt = Number.NEGATIVE_INFINITY;
  /** The hosts that are being checked. */
  const busy = new Map<string, Promise<void>>();
  let stopped = false;

  /** Whether a check may be made now. Outside the monitoring hours it is planned for their beginning. */
  async function isPossible(watch: ScheduledProduct, now: number): Promise<boolean> {
    const { hours, timeZone } = settingsOf(watch);
    // Whether a weak sign holds is settled also when the hours have just ended.
    if (watch.weak_since !== null || isWithinHours(now, hours, timeZone)) return true;
    await postponeProduct(db, watch, nextWindowStart(now, hours, timeZone));
    return false;
  }

  async function checkOne(watch: ScheduledProduct): Promise<void> {
    const { id: watchId, weak_since } = watch;
    const now = clock.now();
    try {
      if (!(await isPossible(watch, now))) return;
      const trigger = weak_since === null ? 'schedule' : 'confirm';
      const result = await check({ watchId, trigger, requestedAt: now, signal });
      if ('checkId' in result) return;
      logger.debug({ watchId, reason: result.skipped }, 'a product was not checked');
    } catch (error) {
      if (signal.aborted) return;
      logger.error({ err: error, watchId }, 'the check of a product failed');
    }
    await postponeProduct(db, watch, clock.now() + FAILED_FOR_MS).catch((error: unknown) =>
      logger.warn({ err: error, watchId }, 'could not plan the next check of a product'),
    );
  }

  /** Checks the due products of a host, one after the other. */
  async function checkHost(host: string): Promise<void> {
    for (;;) {
      const next = due.get(host)?.shift();
      if (next === undefined || stopped || isPaused(host)) return;
      await checkOne(next);
    }
  }

  const isPaused = (host: string): boolean => {
    const load = loads.get(host);
    return load !== undefined && pauseEndOf(load, clock.now()) > clock.now();
  };

  async function look(): Promise<void> {
    await handleClockStep();
    const now = clock.now();
    if (performance.now() - loadsReadAt >= READ_LOADS_EVERY_MS) {
      loads = await readHostLoads(db, now);
      loadsReadAt = performance.now();
    }
    due = byHostOf(await listDueProducts(db, now));
    for (const host of due.keys()) {
      if (busy.has(host) || isPaused(host)) continue;
      const checks = limit(() => checkHost(host)).finally(() => busy.delete(host));
      busy.set(host, checks);
    }
  }

  let timer: { stop(): Promise<void> } | null = null;
  return {
    paceOf: (url) => loads.get(hostOf(url))?.pace ?? FREE_PACE,
    start() {
      timer = repeat(look, {
        everyMs: LOOK_EVERY_MS,
        onFailure: (error) => logger.warn({ err: error }, 'could not look for due products'),
      });
    },
    async stop() {
      stopped = true;
      await timer?.stop();
      await Promise.allSettled(busy.values());
    },
  };
}
