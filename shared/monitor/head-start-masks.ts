import { FREE_DELAY_MS } from '../alerts/alert-timing';
import { listHiddenAlerts } from '../alerts/hidden-alerts';
import type { Audience } from '../alerts/webhooks/webhooks';
import { MINUTE, toIso } from '../clock';
import { prepareQuery } from '../database/prepare-query';
import type { Database } from '../database/schema';
import type { Verdict } from './checks/verdict';

/** The state of a watch that the free audience sees until it is notified of a waiting room: the one before it. */
export interface HeadStartMask {
  /** The alerts that are not shown. */
  hiddenAlerts: readonly string[];
  /** The last verdict that is shown, and its reason. */
  verdict: Verdict | null;
  reason: string | null;
  /** The time of the last conclusive check that is shown. */
  conclusiveAt: string | null;
  /** Checks after this time that saw a waiting room are shown with the verdict before them. */
  hideAfter: string;
}

/** The masks of the watches that have one, by the watch's id. */
export type HeadStartMasks = ReadonlyMap<string, HeadStartMask>;

export const NO_MASKS: HeadStartMasks = new Map();

/** A weak sign is checked again within seconds. An older verdict reveals nothing new. */
const SUSPICION_LASTS_MS = 10 * MINUTE;

/**
 * Selects the watches that saw a waiting room after `since` (ISO-8601) without an alert that could be shown: with a weak
 * sign, or a new alert.
 */
export function selectSuspectedWatches(db: Database, { since }: { since: string }) {
  return db
    .selectFrom('watches')
    .leftJoin('alerts', (join) =>
      join.onRef('alerts.watch_id', '=', 'watches.id').on('alerts.status', 'in', ['open', 'suspended']),
    )
    .select('watches.id')
    .where('watches.last_verdict', '=', 'waiting_room')
    .where('watches.last_checked_at', '>', since)
    .where('watches.deleted_at', 'is', null)
    .where('watches.kind', '=', 'waiting_room')
    .where('alerts.id', 'is', null);
}

const selectSuspected = prepareQuery(selectSuspectedWatches);

/** Signs of a waiting room before this time (ISO-8601) are not suspected at `now` (epoch ms). */
export const suspectedSince = (now: number): string => toIso(now - SUSPICION_LASTS_MS);

/** Null: there is nothing to hide, because a sign without an alert has lasted for the head start. */
async function readMask(
  db: Database,
  {
    watchId,
    hidden,
    now,
  }: { watchId: string; hidden: readonly { id: string; openedAt: string }[]; now: number },
): Promise<HeadStartMask | null> {
  const { last_verdict } = await db
    .selectFrom('watches')
    .select('last_verdict')
    .where('id', '=', watchId)
    .executeTakeFirstOrThrow();
  const checks = db
    .selectFrom('monitor_checks')
    .select(['check_timestamp', 'verdict', 'reason'])
    .where('watch_id', '=', watchId)
    .limit(1);
  const newest = checks.orderBy('check_timestamp', 'desc');
  const shown = await newest.where('verdict', '<>', 'waiting_room').executeTakeFirst();
  const conclusive = await newest.where('verdict', '=', 'open').executeTakeFirst();
  if (hidden.length === 0) {
    const first = await checks
      .where('check_timestamp', '>', shown?.check_timestamp ?? '')
      .orderBy('check_timestamp')
      .executeTakeFirst();
    if (first !== undefined && first.check_timestamp <= toIso(now - FREE_DELAY_MS)) return null;
  }
  const openedAt = hidden.map((alert) => alert.openedAt).toSorted()[0];
  const before =
    openedAt === undefined
      ? shown
      : await newest
          .where('verdict', '<>', 'waiting_room')
          .where('check_timestamp', '<', openedAt)
          .executeTakeFirst();
  return {
    hiddenAlerts: hidden.map(({ id }) => id),
    verdict: last_verdict === 'waiting_room' ? (shown?.verdict ?? null) : last_verdict,
    reason: shown?.reason ?? null,
    conclusiveAt: conclusive?.check_timestamp ?? null,
    hideAfter: before?.check_timestamp ?? '',
  };
}

/**
 * Reads what the public must not see of the watches at `now` (epoch ms), because the free channel has not heard of it:
 * new alerts, and signs of a waiting room that may become one. The instant audience has no masks.
 */
export async function readMasks(
  db: Database,
  { now, audience }: { now: number; audience: Audience },
): Promise<HeadStartMasks> {
  if (audience === 'instant') return NO_MASKS;
  const hidden = await listHiddenAlerts(db, { now });
  const suspected = await selectSuspected(db, { since: suspectedSince(now) });
  const watchIds = new Set([...hidden.map(({ watchId }) => watchId), ...suspected.map(({ id }) => id)]);
  const masks = new Map<string, HeadStartMask>();
  for (const watchId of watchIds) {
    const ofWatch = hidden.filter((alert) => alert.watchId === watchId);
    const mask = await readMask(db, { watchId, hidden: ofWatch, now });
    if (mask !== null) masks.set(watchId, mask);
  }
  return masks;
}

/** The ids of all alerts that `masks` hide. */
export function hiddenAlertsOf(masks: HeadStartMasks): string[] {
  return [...masks.values()].flatMap(({ hiddenAlerts }) => hiddenAlerts);
}
