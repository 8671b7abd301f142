import { DateTime } from 'luxon';
import { DAY, fromIso, isPast, MINUTE, SECOND } from '../clock';
import { isBuyable } from './checks/recording/decide-restock';
import type { ProductJudgement } from './checks/verdict';
import { largestJitterMs } from './next-check';
import type { Watch } from './watches/watches';

/** While a product is in stock, detecting the sell-out is not urgent. */
const IN_STOCK_MS = 300 * SECOND;
/** Around the times at which the product came back before, and after another shop had it again. */
const HURRIED_MS = 30 * SECOND;
const HURRIED_BEFORE_MS = 5 * MINUTE;
/** How long a product is hurried for, before and after the time of day together, or after the other shop had it. */
export const HURRIED_FOR_MS = 10 * MINUTE;
/** A page that robots.txt forbids is not requested; a permission, or another robots.txt, is soon noticed. */
const FORBIDDEN_MS = 10 * MINUTE;
/** Discontinued products rarely come back. */
const DISCONTINUED_MS = DAY;

/**
 * How the capacity of a host divides among the products that are checked there. `stretch`: how many times longer than its
 * own the interval of each is, at least 1. `hurry`: the share (0 to 1) of what hurried products want that is left for them.
 */
export interface HostPace {
  stretch: number;
  hurry: number;
}

/** The pace of a host with few products. */
export const FREE_PACE: HostPace = { stretch: 1, hurry: 1 };

type Timed = Pick<Watch, 'interval_seconds' | 'last_availability' | 'hurried_until' | 'discontinued_at'>;

/** A product's interval when the host has room for it (ms). */
function ownIntervalMs({ interval_seconds, last_availability, discontinued_at }: Timed): number {
  if (discontinued_at !== null) return DISCONTINUED_MS;
  const ownMs = interval_seconds * SECOND;
  return isBuyable(last_availability) ? Math.max(ownMs, IN_STOCK_MS) : ownMs;
}

/** Whether another shop had the product again a short time ago. */
function isHurried({ hurried_until, last_availability, discontinued_at }: Timed, now: number): boolean {
  if (hurried_until === null || discontinued_at !== null || isBuyable(last_availability)) return false;
  const leftMs = fromIso(hurried_until) - now;
  return leftMs > 0 && leftMs <= HURRIED_FOR_MS + MINUTE;
}

/**
 * The pace of a host that is asked every `spacingMs` at most. Products keep their own intervals while these fit; hurried
 * ones share what is left; else all wait longer by the same factor.
 */
export function paceOf(
  watches: readonly Timed[],
  { spacingMs, now }: { spacingMs: number; now: number },
): HostPace {
  let load = 0;
  let wanted = 0;
  for (const watch of watches) {
    const share = spacingMs / ownIntervalMs(watch);
    load += share;
    if (isHurried(watch, now)) wanted += Math.max(0, spacingMs / HURRIED_MS - share);
  }
  if (load >= 1) return { stretch: load, hurry: 0 };
  return { stretch: 1, hurry: wanted === 0 ? 1 : Math.min(1, (1 - load) / wanted) };
}

/** How far a time is into its day at a place (ms). */
function timeOfDay(time: number, zone: string): number {
  const offsetMs = DateTime.fromMillis(time, { zone }).offset * MINUTE;
  return (((time + offsetMs) % DAY) + DAY) % DAY;
}

/**
 * How long until the ten minutes around one of the times of day at which a product came back begin (ms), and how long they
 * last from then on; the wait is 0 inside them.
 */
function nextHurry(
  cameBackAt: readonly string[],
  { now, zone }: { now: number; zone: string },
): { inMs: number; forMs: number } {
  const nowOfDay = timeOfDay(now, zone);
  let next = { inMs: DAY, forMs: 0 };
  for (const at of cameBackAt) {
    const begunMs = (nowOfDay - timeOfDay(fromIso(at), zone) + HURRIED_BEFORE_MS + DAY) % DAY;
    const isNow = begunMs < HURRIED_FOR_MS;
    const inMs = isNow ? 0 : DAY - begunMs;
    if (inMs < next.inMs) next = { inMs, forMs: isNow ? HURRIED_FOR_MS - begunMs : HURRIED_FOR_MS };
  }
  return next;
}

/**
 * When the next scheduled check of a product is due (epoch ms), after one that began at `startedAt` and saw `product`:
 *
 * | seen                                | interval                                       |
 * |-------------------------------------|------------------------------------------------|
 * | forbidden by robots.txt             | ten minutes, or its own if longer              |
 * | no longer sold, seen twice          | a day                                          |
 * | in stock                            | five minutes, or its own if longer             |
 * | else, hurried                       | 30 s, as far as the host has room              |
 * | else                                | its own, or until the next hurry if that is sooner |
 *
 * An unknown check leaves what was settled before, which `watch` holds. `cameBackAt`: when its alerts were opened (ISO).
 * `hurriedUntil` (epoch ms): the end of the hurry, for other products of the host; null without one.
 */
export function nextProductCheck(
  watch: Timed & Pick<Watch, 'time_zone'>,
  {
    product,
    cameBackAt,
    pace,
    startedAt,
  }: {
    product: Pick<ProductJudgement, 'unknownReason'>;
    cameBackAt: readonly string[];
    pace: HostPace;
    startedAt: number;
  },
): { at: number; hurriedUntil: number | null } {
  const jitterMs = Math.random() * largestJitterMs(watch.interval_seconds);
  const after = (ms: number, hurriedUntil: number | null = null) => ({
    at: startedAt + ms + jitterMs,
    hurriedUntil,
  });
  const ownMs = ownIntervalMs(watch);
  if (product.unknownReason === 'robots') return after(Math.max(ownMs, FORBIDDEN_MS));
  if (watch.discontinued_at !== null) return after(ownMs);
  const pacedMs = ownMs * pace.stretch;
  if (isBuyable(watch.last_availability)) return after(pacedMs);
  const times = cameBackAt.filter((at) => isPast(fromIso(at), startedAt));
  const { inMs, forMs } = nextHurry(times, { now: startedAt, zone: watch.time_zone });
  const until = Math.max(
    inMs === 0 ? startedAt + forMs : 0,
    isHurried(watch, startedAt) ? fromIso(watch.hurried_until ?? '') : 0,
  );
  if (until === 0) return after(Math.min(pacedMs, Math.max(inMs, HURRIED_MS)));
  return after(hurriedMs(ownMs, pace), until);
}

/** The interval of a hurried product (ms): 30 s, as far as the host has room. */
function hurriedMs(ownMs: number, { stretch, hurry }: HostPace): number {
  return 1 / (1 / (ownMs * stretch) + hurry * Math.max(0, 1 / HURRIED_MS - 1 / ownMs));
}

/** How often a product is checked now (ms), at the pace of its host. */
export function pacedIntervalMs(watch: Timed, pace: HostPace, now: number): number {
  const ownMs = ownIntervalMs(watch);
  return isHurried(watch, now) ? hurriedMs(ownMs, pace) : ownMs * pace.stretch;
}
