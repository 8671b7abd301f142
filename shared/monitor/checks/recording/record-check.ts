import {
  continueAlert,
  closeAlert,
  closeUnseenAlert,
  findNewestAlert,
  markAlertSeen,
  openAlert,
  type Alert,
} from '../../../alerts/alert-changes';
import type { AdminContacts } from '../../../alerts/admin-notices';
import type { Delivery } from '../../../alerts/deliveries/deliveries';
import { fromIso, SECOND, toIso, type Clock } from '../../../clock';
import { prepareQuery } from '../../../database/prepare-query';
import type { Database, Transaction } from '../../../database/schema';
import { inTransaction } from '../../../database/transaction';
import { newId } from '../../../ids';
import { toRow, type FinishedCheck } from './check-row';
import { countCheck } from './check-counts';
import { decideTransition, isStale, type BeforeCheck, type Decision } from './decide-transition';
import { pauseAfter } from './pause-after';
import { addBody } from '../stored-body.server';
import { settingsOf } from '../../monitor-settings';
import { isWithinHours, windowStart } from '../../monitoring-hours';
import { readWatch, type Watch } from '../../watches/watches';

/** A weak sign is checked again after this long. */
const RECHECK_AFTER_MS = 10 * SECOND;

export interface RecordedCheck {
  watchId: string;
  checkId: string;
  decision: Decision;
  /** Outbox rows to send; new rows that are due are claimed by this process. */
  deliveries: Delivery[];
  /** The alert that this check opened or reopened: its members must be listed. */
  announced: string | null;
  /** When a confirming check is due (epoch ms). */
  recheckAt: number | null;
}

/** Another check took the lease while this one ran: its result is stale and is not stored. */
export class LeaseLostError extends Error {
  constructor() {
    super('another check began before this one ended');
    this.name = 'LeaseLostError';
  }
}

function describeBefore(
  state: Watch,
  newest: Alert | null,
  { trigger, startedAt }: FinishedCheck,
  now: number,
): BeforeCheck {
  let alert: BeforeCheck['alert'] = { kind: 'none' };
  if (newest?.status === 'open') alert = { kind: 'open' };
  else if (newest?.status === 'suspended')
    alert = { kind: 'suspended', forMs: now - fromIso(newest.suspended_at ?? newest.last_seen_at) };
  else if (newest?.status === 'closed')
    alert = { kind: 'closed', forMs: now - fromIso(newest.closed_at ?? newest.last_seen_at) };
  return {
    alert,
    weakForMs: state.weak_since === null ? null : now - fromIso(state.weak_since),
    opensInRow: state.opens_in_row,
    mayOpen:
      trigger === 'schedule'
        ? state.running === 1
        : state.stopped_at === null || fromIso(state.stopped_at) < startedAt,
  };
}

/** Whether a live alert was last confirmed before the hours ended, or too long ago (see `isStale`). */
function isStaleAlert(alert: Alert, watch: Watch, now: number): boolean {
  if (alert.status === 'closed') return false;
  const seenAt = fromIso(alert.last_seen_at);
  const { hours, timeZone } = settingsOf(watch);
  return isStale({
    seenAt,
    seenWithinHours: isWithinHours(seenAt, hours, timeZone),
    windowStart: windowStart(now, hours, timeZone),
    now,
  });
}

interface Applied {
  alertId: string | null;
  deliveries: Delivery[];
}

interface ApplyInput {
  check: FinishedCheck;
  checkId: string;
  decision: Decision;
  newest: Alert | null;
  firstOpenAt: string;
  now: number;
  sender: string | null;
  adminContacts: AdminContacts;
}

async function applyDecision(
  trx: Transaction,
  { check, checkId, decision, newest, firstOpenAt, now, sender, adminContacts }: ApplyInput,
): Promise<Applied> {
  switch (decision.action) {
    case 'none':
    case 'recheck':
      return { alertId: null, deliveries: [] };
    case 'open': {
      const before =
        newest?.status === 'suspended'
          ? await closeAlert(trx, { alert: newest, checkId, closedAt: newest.last_seen_at, now })
          : [];
      const opened = await openAlert(trx, {
        watchId: check.watchId,
        targetUrl: check.targetUrl,
        newest,
        strength: check.judgement.strength ?? 'strong',
        checkId,
        now,
        sender,
        adminContacts,
      });
      return { alertId: opened.alertId, deliveries: [...opened.deliveries, ...before] };
    }
  }
  if (newest === null) throw new Error(`${decision.action} needs an alert`);
  switch (decision.action) {
    case 'keep':
      await markAlertSeen(trx, newest, now);
      return { alertId: null, deliveries: [] };
    case 'reopen':
    case 'resume':
      return { alertId: null, deliveries: await continueAlert(trx, newest, now) };
    case 'close':
      return {
        alertId: null,
        deliveries: await closeAlert(trx, { alert: newest, checkId, closedAt: firstOpenAt, now }),
      };
  }
}

const insertCheck = prepareQuery((db, row: ReturnType<typeof toRow>) =>
  db.insertInto('monitor_checks').values(row),
);

type WatchChange = Pick<
  Watch,
  | 'id'
  | 'last_check_id'
  | 'last_verdict'
  | 'last_checked_at'
  | 'last_conclusive_at'
  | 'opens_in_row'
  | 'weak_since'
  | 'recheck_due_at'
  | 'refusals_in_row'
  | 'not_before'
  | 'lease_owner'
  | 'lease_until'
>;

const updateWatch = prepareQuery((db, { id, ...change }: WatchChange) =>
  db.updateTable('watches').set(change).where('id', '=', id),
);

export interface RecorderContext {
  db: Database;
  clock: Clock;
  adminContacts: AdminContacts;
  /** The process that sends due rows right after the commit; null leaves them to the sweep. */
  sender: string | null;
}

/**
 * Stores a check and its consequences in one transaction: the check, the state of its watch, the alert and its outbox
 * rows. Throws `LeaseLostError` when another check has taken the lease.
 */
export async function recordCheck(
  { db, clock, adminContacts, sender }: RecorderContext,
  check: FinishedCheck,
  intervalMs: number,
): Promise<RecordedCheck> {
  const checkId = newId();
  return inTransaction(
    db,
    async (trx) => {
      const now = clock.now();
      const stamp = toIso(now);
      const state = await readWatch(trx, check.watchId);
      if (state.lease_token !== check.leaseToken) throw new LeaseLostError();
      const found = await findNewestAlert(trx, check);
      const ended = found !== null && isStaleAlert(found, state, now) ? found : null;
      const outdated = ended === null ? [] : await closeUnseenAlert(trx, { alert: ended, now });
      const newest: Alert | null =
        ended === null ? found : { ...ended, status: 'closed', closed_at: ended.last_seen_at };
      const { judgement } = check;
      const decision = decideTransition(describeBefore(state, newest, check, now), judgement);

      const firstOpenAt =
        state.opens_in_row >= 1 && state.last_conclusive_at !== null ? state.last_conclusive_at : stamp;
      const applied = await applyDecision(trx, {
        check,
        checkId,
        decision,
        newest,
        firstOpenAt,
        now,
        sender,
        adminContacts,
      });
      await insertCheck(trx, toRow(check, checkId, applied.alertId, now));
      if (check.deflatedBody !== null)
        await addBody(trx, { check_id: checkId, check_timestamp: stamp, deflated: check.deflatedBody });
      const conclusive = judgement.verdict !== 'unknown';
      await countCheck(trx, {
        watchId: check.watchId,
        checkedAt: stamp,
        conclusive,
        scrappeyCalls: check.scrappey.calls,
      });

      const refused = judgement.unknownReason === 'challenge' || judgement.unknownReason === 'blocked';
      const refusals = conclusive ? 0 : refused ? state.refusals_in_row + 1 : state.refusals_in_row;
      const pausedUntil = pauseAfter(state, check, { refusals: refused ? refusals : 0, intervalMs, now });
      const recheckAt = decision.action === 'recheck' ? now + RECHECK_AFTER_MS : null;
      await updateWatch(trx, {
        id: check.watchId,
        last_check_id: checkId,
        last_verdict: judgement.verdict,
        last_checked_at: stamp,
        last_conclusive_at: conclusive ? stamp : state.last_conclusive_at,
        opens_in_row: decision.opensInRow,
        weak_since: decision.weak === 'begin' ? stamp : decision.weak === 'keep' ? state.weak_since : null,
        recheck_due_at: recheckAt === null ? null : toIso(recheckAt),
        refusals_in_row: refusals,
        not_before: pausedUntil === null ? null : toIso(pausedUntil),
        lease_owner: null,
        lease_until: null,
      });
      const announced = decision.action === 'reopen' ? (newest?.id ?? null) : applied.alertId;
      return {
        watchId: check.watchId,
        checkId,
        decision,
        deliveries: [...applied.deliveries, ...outdated],
        announced,
        recheckAt,
      };
    },
    { watch: check.watchId },
  );
}
