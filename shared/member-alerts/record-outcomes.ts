import type { Kysely, Transaction, Updateable } from 'kysely';
import { clearBounce, recordBounce } from '../accounts/mail-bounces';
import { addNotice, type AdminContacts } from '../alerts/admin-notices';
import { ALERT_LIFETIME_MS } from '../alerts/alert-timing';
import type { Delivery } from '../alerts/deliveries/deliveries';
import { fromIso, SECOND, toIso, type Clock } from '../clock';
import type { Schema } from '../database/schema';
import type { MemberDeliveriesTable } from '../database/tables/members/member-deliveries';
import { inTransaction } from '../database/transaction';
import { SENT_TWICE } from '../outbox/uncertain';
import { endSubscription, restoreSubscriptions } from '../push/ended-subscriptions';
import type { ServiceFault } from '../push/fault-guard';
import { judgeBounces } from './judge-bounces';
import { memberBackoffMs, memberOutbox, type MemberDelivery } from './member-outbox';
import type { MemberOutcome } from './send-member-alert.server';

/** An attempt that ended at `endedAt` (epoch ms). */
export interface MemberAttempt {
  row: MemberDelivery;
  outcome: MemberOutcome;
  /** The push service; null for mail, and when nothing was sent. */
  pushHost: string | null;
  endedAt: number;
}

/** Times of sending are stored in steps of this, so that rows that were sent together share a statement. */
const SENT_AT_STEP_MS = SECOND / 10;

type Change = Updateable<MemberDeliveriesTable>;

const isPushTest = (row: MemberDelivery): boolean => row.alert_id === null && row.channel === 'push';

function whyExpired(row: MemberDelivery): string {
  return isPushTest(row)
    ? 'its push service did not answer other tests, or too many tests waited; try again in a minute'
    : 'it was too late to be news';
}

function changeFor({ row, outcome, endedAt }: MemberAttempt, expiresAt: string, now: number): Change {
  switch (outcome.is) {
    case 'ok':
      return {
        status: 'sent',
        sent_at: toIso(Math.ceil(endedAt / SENT_AT_STEP_MS) * SENT_AT_STEP_MS),
        last_status: outcome.status,
        last_error: null,
      };
    case 'cancelled':
      return { status: 'cancelled', last_error: outcome.reason };
    case 'expired':
      return { status: 'expired', last_error: row.last_error ?? whyExpired(row) };
    case 'gone':
    case 'refused':
      return { status: 'cancelled', last_status: outcome.status, last_error: outcome.reason };
    case 'rejected':
      return { status: 'dead', last_status: outcome.status, last_error: outcome.reason };
    case 'uncertain':
    case 'retry': {
      // A test by push is tried once: its member waits for the result, and can ask for another.
      if (isPushTest(row)) return { status: 'dead', last_status: outcome.status, last_error: outcome.reason };
      const uncertain = outcome.is === 'uncertain';
      if (uncertain && row.uncertain === 1)
        return {
          status: 'dead',
          last_status: outcome.status,
          last_error: `${outcome.reason}; ${SENT_TWICE}`,
        };
      const waitMs = outcome.is === 'retry' ? (outcome.waitMs ?? 0) : 0;
      const dueAt = now + Math.max(memberBackoffMs(row.attempts), waitMs);
      const answer = {
        last_status: outcome.status,
        last_error: outcome.reason,
        ...(uncertain && { uncertain: 1 as const }),
      };
      if (dueAt >= fromIso(expiresAt)) return { ...answer, status: 'expired' };
      return { ...answer, status: 'pending', due_at: toIso(dueAt) };
    }
  }
}

/** Notifies the admins once per alert and channel that a member was not reached. */
async function notifyAdmins(
  trx: Transaction<Schema>,
  failed: readonly MemberDelivery[],
  adminContacts: AdminContacts,
  now: number,
): Promise<Delivery[]> {
  const first = new Map<string, MemberDelivery>();
  for (const row of failed) {
    const key = `members-failed:${row.alert_id}:${row.channel}`;
    if (row.alert_id !== null && !first.has(key)) first.set(key, row);
  }
  const notices: Delivery[] = [];
  for (const [dedupeKey, row] of first) {
    const watch = await trx
      .selectFrom('alerts')
      .innerJoin('watches', 'watches.id', 'alerts.watch_id')
      .select(['watches.id', 'watches.title'])
      .where('alerts.id', '=', row.alert_id)
      .executeTakeFirstOrThrow();
    const added = await addNotice(
      trx,
      {
        watchId: watch.id,
        kind: 'delivery_failed',
        dedupeKey,
        title:
          row.channel === 'email'
            ? 'An alert did not reach every member by email'
            : 'An alert did not reach every member by web push',
        body: `${watch.title}. Reason of the first failure: ${row.last_error ?? 'unknown'}. The monitor screen shows how many members were not reached, and can send the alert to them again.${row.channel === 'email' ? ' A refusal that most addresses get alike marks none of them as bounced: see whether the mail server lets us send. "npm run members -- bounces list" shows the addresses that bounced.' : ''}`,
      },
      adminContacts,
      now,
    );
    notices.push(...added);
  }
  return notices;
}

/** Writes to the accounts and browsers what the outcomes say about them. */
async function recordConsequences(
  trx: Transaction<Schema>,
  attempts: readonly MemberAttempt[],
  now: number,
): Promise<void> {
  for (const { row, outcome } of attempts) {
    if (outcome.is === 'gone' || outcome.is === 'refused')
      await endSubscription(trx, { id: row.target, why: outcome.is, now });
    // Of an alert, `judgeBounces` decides.
    else if (outcome.is === 'rejected' && outcome.bounced && row.alert_id === null)
      await recordBounce(trx, { userId: row.user_id, reason: outcome.reason, now });
    else if (outcome.is === 'ok' && row.channel === 'email' && row.alert_id === null)
      await clearBounce(trx, { userId: row.user_id });
  }
}

/** The expiry of rows to be sent again, as stored: a step of the wall clock may have moved it since the claim. */
async function readExpiries(
  trx: Transaction<Schema>,
  attempts: readonly MemberAttempt[],
): Promise<Map<string, string>> {
  const ids = attempts
    .filter(({ outcome }) => outcome.is === 'retry' || outcome.is === 'uncertain')
    .map(({ row }) => row.id);
  const rows =
    ids.length === 0
      ? []
      : await trx
          .selectFrom('member_deliveries')
          .select(['id', 'expires_at'])
          .where('id', 'in', ids)
          .execute();
  return new Map(rows.map((row) => [row.id, row.expires_at]));
}

/**
 * When the rows expire that were cancelled because their waiting room had closed, if it has reopened since: the fan-out
 * of the reopening left them out, because they were claimed.
 */
async function readReopened(
  trx: Transaction<Schema>,
  attempts: readonly MemberAttempt[],
): Promise<Map<string, string>> {
  const closed = attempts.flatMap(({ row, outcome }) =>
    outcome.is === 'cancelled' && outcome.closed === true ? [row] : [],
  );
  if (closed.length === 0) return new Map();
  const alerts = await trx
    .selectFrom('alerts')
    .select(['id', 'opened_at', 'fan_out_at'])
    .where(
      'id',
      'in',
      closed.map((row) => row.alert_id),
    )
    .where('status', '<>', 'closed')
    .execute();
  const expiries = new Map(
    alerts.map(({ id, opened_at, fan_out_at }) => [
      id,
      toIso(fromIso(fan_out_at ?? opened_at) + ALERT_LIFETIME_MS),
    ]),
  );
  return new Map(
    closed.flatMap((row): [string, string][] => {
      const expiresAt = expiries.get(row.alert_id ?? '');
      return expiresAt === undefined ? [] : [[row.id, expiresAt]];
    }),
  );
}

/** What recording attempts leaves to do. */
export interface RecordedAttempts {
  /** When rows wait to be sent again (epoch ms). */
  dueAgain: number[];
  /** Notices to the admins, to be sent. */
  notices: Delivery[];
  /** Addresses that got the same refusal as most addresses of an alert, and were therefore not marked as bounced. */
  suspectRefusals: number;
}

const FAULT_TEXTS: Record<ServiceFault['why'], string> = {
  refused:
    'refuses our key for most browsers. The reason is usually a wrong clock of this machine, or an APP_URL that is not the public address of the site. The browsers are kept.',
  gone: 'reports most browsers as gone. They are kept, and tried again with the next alert.',
};

/**
 * Restores the subscriptions that ended before the fault was noticed, and marks their deliveries as failed, so that an
 * admin can send them again. Notifies the admins once a day.
 */
async function recordFault(
  trx: Transaction<Schema>,
  fault: ServiceFault,
  { reason, adminContacts, now }: { reason: string; adminContacts: AdminContacts; now: number },
): Promise<Delivery[]> {
  const restored = await restoreSubscriptions(trx, fault);
  if (restored.length > 0)
    await trx
      .updateTable('member_deliveries')
      .set({ status: 'dead', updated_at: toIso(now) })
      .where('target', 'in', restored)
      .where('channel', '=', 'push')
      .where('status', '=', 'cancelled')
      .where('updated_at', '>=', toIso(fault.since))
      // By alert, because that has an index.
      .where('alert_id', 'in', (from) =>
        from.selectFrom('alerts').select('id').where('status', '<>', 'closed'),
      )
      .execute();
  const subject = fault.host ?? 'Every push service';
  return addNotice(
    trx,
    {
      watchId: null,
      kind: 'delivery_failed',
      dedupeKey: `push-fault:${fault.why}:${toIso(now).slice(0, 10)}`,
      title: 'Web push fails for most members',
      body: `${subject} ${FAULT_TEXTS[fault.why]} It says: ${reason}`,
    },
    adminContacts,
    now,
  );
}

/** Records the outcomes of several attempts in one transaction. Outcomes of rows whose claim was lost are dropped. */
export async function recordAttempts(
  db: Kysely<Schema>,
  {
    attempts,
    clock,
    adminContacts,
    faults = [],
  }: {
    attempts: readonly MemberAttempt[];
    clock: Clock;
    adminContacts: AdminContacts;
    /** Faults of push services that these attempts show, with the services' words. */
    faults?: readonly (ServiceFault & { reason: string })[];
  },
): Promise<RecordedAttempts> {
  return inTransaction(db, async (trx) => {
    const now = clock.now();
    const expiries = await readExpiries(trx, attempts);
    const reopened = await readReopened(trx, attempts);
    const after = await memberOutbox.settleBatch(
      trx,
      attempts.map((attempt) => {
        const { row } = attempt;
        const expiresAt = reopened.get(row.id);
        if (expiresAt !== undefined)
          return { row, change: { status: 'pending' as const, due_at: toIso(now), expires_at: expiresAt } };
        return { row, change: changeFor(attempt, expiries.get(row.id) ?? row.expires_at, now) };
      }),
      now,
    );
    const kept = new Set(after.map(({ id }) => id));
    await recordConsequences(
      trx,
      attempts.filter(({ row }) => kept.has(row.id)),
      now,
    );
    const mailed = after.filter(({ channel }) => channel === 'email').map((row) => row.alert_id);
    let suspectRefusals = 0;
    for (const alertId of new Set(mailed))
      if (alertId !== null) suspectRefusals += await judgeBounces(trx, alertId, now);
    const failed = after.filter(({ status }) => status === 'dead' || status === 'expired');
    const notices: Delivery[] = [];
    for (const { reason, ...fault } of faults)
      notices.push(...(await recordFault(trx, fault, { reason, adminContacts, now })));
    notices.push(...(await notifyAdmins(trx, failed, adminContacts, now)));
    return {
      dueAgain: after.filter(({ status }) => status === 'pending').map((row) => fromIso(row.due_at)),
      notices,
      suspectRefusals,
    };
  });
}
