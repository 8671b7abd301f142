import type { Selectable, Transaction } from 'kysely';
import {
  continueAlert,
  closeAlert,
  findNewestAlert,
  markAlertSeen,
  openAlert,
  type Alert,
} from '../../alerts/alert-changes';
import type { AdminContacts } from '../../alerts/admin-notices';
import type { Delivery } from '../../alerts/deliveries';
import { fromIso, SECOND, toIso, type Clock } from '../../clock';
import type { Database } from '../../database/connection.server';
import type { Schema } from '../../database/schema';
import type { MonitorChecksTable } from '../../database/tables/monitor-checks';
import { inTransaction } from '../../database/transaction';
import { newId } from '../../ids';
import { countCheck } from './check-counts';
import { flagsOf } from './check-flags';
import { decideTransition, type BeforeCheck, type Decision } from './decide-transition';
import { addBody, compressBody } from './stored-body.server';
import type { Judgement } from './verdict';
import { readWatch, type Watch } from '../watches';

/** A weak sign is checked again after this long. */
const RECHECK_AFTER_MS = 10 * SECOND;
/** The longest pause between checks after challenges and blocks. */
const MAX_BACKOFF_MS = 150 * SECOND;

/** One finished check, ready to be stored. */
export interface FinishedCheck {
  watchId: string;
  trigger: MonitorChecksTable['trigger'];
  targetUrl: string;
  /** Epoch ms. */
  startedAt: number;
  leaseToken: number;
  judgement: Judgement;
  finalUrl: string | null;
  /** Null when no page ever came. */
  httpStatus: number | null;
  responseTimeMs: number;
  errorMessage: string | null;
  body: string;
  headers: Record<string, string | string[]>;
  scrappey: {
    status: MonitorChecksTable['scrappey_status'];
    requestId: string | null;
    calls: number;
    proxy: string | null;
  };
  /** The pause that the fetching service requests. */
  backOffMs: number | null;
}

export interface RecordedCheck {
  watchId: string;
  checkId: string;
  decision: Decision;
  /** Outbox rows to send; new rows that are due are claimed by this process. */
  deliveries: Delivery[];
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

/** Removes cookie values, which are our session at the shop, and keeps the names as evidence. */
function withoutCookieValues(headers: Record<string, string | string[]>): Record<string, string | string[]> {
  const bare = (cookie: string): string => cookie.replace(/=[^;]*/, '=…');
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      name === 'set-cookie' ? [value].flat().map(bare) : value,
    ]),
  );
}

function describeBefore(
  state: Watch,
  newest: Alert | null,
  { trigger, startedAt }: FinishedCheck,
  now: number,
): BeforeCheck {
  let alert: BeforeCheck['alert'] = { is: 'none' };
  if (newest?.status === 'open') alert = { is: 'open' };
  else if (newest?.status === 'suspended')
    alert = { is: 'suspended', forMs: now - fromIso(newest.suspended_at ?? newest.last_seen_at) };
  else if (newest?.status === 'closed')
    alert = { is: 'closed', forMs: now - fromIso(newest.closed_at ?? newest.last_seen_at) };
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

/**
 * The pause before the next scheduled check: doubled after each challenge or block, or as long as the fetching
 * service requests.
 */
function pauseAfter(check: FinishedCheck, refusals: number, intervalMs: number): number {
  const doubled =
    refusals === 0 ? 0 : Math.max(intervalMs, Math.min(intervalMs * 2 ** refusals, MAX_BACKOFF_MS));
  return Math.max(doubled, check.backOffMs ?? 0);
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
  trx: Transaction<Schema>,
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

function toRow(
  check: FinishedCheck,
  checkId: string,
  alertId: string | null,
  now: number,
): Selectable<MonitorChecksTable> {
  const { judgement } = check;
  const analysis = {
    ...judgement,
    ...flagsOf({ responseMs: check.responseTimeMs, bodyLength: check.body.length }),
  };
  return {
    id: checkId,
    watch_id: check.watchId,
    trigger: check.trigger,
    started_at: toIso(check.startedAt),
    check_timestamp: toIso(now),
    target_url: check.targetUrl,
    final_url: check.finalUrl,
    verdict: judgement.verdict,
    strength: judgement.strength,
    reason: judgement.reason,
    queue_detected: judgement.verdict === 'waiting_room' ? 1 : 0,
    error_message: check.errorMessage,
    response_time_ms: Math.max(0, Math.round(check.responseTimeMs)),
    http_status_code: check.httpStatus,
    raw_response_length: check.body.length,
    scrappey_status: check.scrappey.status,
    scrappey_request_id: check.scrappey.requestId,
    scrappey_calls: check.scrappey.calls,
    proxy_used: check.scrappey.proxy,
    content_analysis: JSON.stringify(analysis),
    response_headers: JSON.stringify(withoutCookieValues(check.headers)),
    alert_id: alertId,
    alert_sent: 0,
  };
}

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
  const deflated = compressBody(check.body);
  return inTransaction(db, async (trx) => {
    const now = clock.now();
    const stamp = toIso(now);
    const state = await readWatch(trx, check.watchId);
    if (state.lease_token !== check.leaseToken) throw new LeaseLostError();
    const newest = await findNewestAlert(trx, check);
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
    await trx
      .insertInto('monitor_checks')
      .values(toRow(check, checkId, applied.alertId, now))
      .execute();
    if (deflated !== null) await addBody(trx, { checkId, checkTimestamp: stamp, deflated });
    const conclusive = judgement.verdict !== 'unknown';
    await countCheck(trx, { watchId: check.watchId, checkedAt: stamp, conclusive });

    const refused = judgement.unknownReason === 'challenge' || judgement.unknownReason === 'blocked';
    const refusals = conclusive ? 0 : refused ? state.refusals_in_row + 1 : state.refusals_in_row;
    const pauseMs =
      refused || check.backOffMs !== null ? pauseAfter(check, refused ? refusals : 0, intervalMs) : 0;
    const recheckAt = decision.action === 'recheck' ? now + RECHECK_AFTER_MS : null;
    await trx
      .updateTable('watches')
      .set({
        last_check_id: checkId,
        last_verdict: judgement.verdict,
        last_checked_at: stamp,
        ...(conclusive ? { last_conclusive_at: stamp } : {}),
        opens_in_row: decision.opensInRow,
        weak_since: decision.weak === 'begin' ? stamp : decision.weak === 'keep' ? state.weak_since : null,
        recheck_due_at: recheckAt === null ? null : toIso(recheckAt),
        refusals_in_row: refusals,
        not_before: pauseMs === 0 ? null : toIso(now + pauseMs),
        lease_owner: null,
        lease_until: null,
      })
      .where('id', '=', check.watchId)
      .execute();
    return { watchId: check.watchId, checkId, decision, deliveries: applied.deliveries, recheckAt };
  });
}

/** Counts the paid fetches of all watches since the start (epoch ms) of a London day. */
export async function countScrappeyCalls(db: Database, dayStart: number): Promise<number> {
  const row = await db
    .selectFrom('monitor_checks')
    .select((select) => select.fn.sum<number | null>('scrappey_calls').as('calls'))
    // The condition on `watch_id` lets SQLite use the index.
    .where('watch_id', 'in', (from) => from.selectFrom('watches').select('id'))
    .where('check_timestamp', '>=', toIso(dayStart))
    .executeTakeFirst();
  return Number(row?.calls ?? 0);
}
