import type { Transaction } from 'kysely';
import { clearBounce, recordBounce } from '../accounts/mail-bounces';
import { addNotice, type AdminContacts } from '../alerts/admin-notices';
import { ALERT_LIFETIME_MS } from '../alerts/alert-timing';
import type { Delivery } from '../alerts/deliveries/deliveries';
import { fromIso, SECOND, toIso } from '../clock';
import type { Schema } from '../database/schema';
import type { Attempt, ChangeOf } from '../outbox/outbox-sender';
import { endSubscription, restoreSubscriptions } from '../push/ended-subscriptions';
import type { ServiceFault } from '../push/fault-guard';
import { judgeBounces } from './judge-bounces';
import type { MemberChannel } from '../member-channels';
import { isTest, type MemberDelivery, type MemberOutcome } from './member-outbox';

type Ended = Attempt<MemberDelivery, MemberOutcome>;

/** Times of sending are stored in steps of this, so that rows that were sent together share a statement. */
const SENT_AT_STEP_MS = SECOND / 10;

type Change = ChangeOf<'member_deliveries'>;

const isPushTest = (row: MemberDelivery): boolean => isTest(row) && row.channel === 'push';

function whyExpired(row: MemberDelivery): string {
  return isPushTest(row)
    ? 'its push service did not answer other tests, or too many tests waited; try again in a minute'
    : 'it expired before it could be sent';
}

/** The writes for an outcome, besides those of every outbox. */
function adjust({ row, outcome, endedAt, change }: Ended & { change: Change }): Change {
  switch (outcome.kind) {
    case 'ok':
      return { ...change, sent_at: toIso(Math.ceil(endedAt / SENT_AT_STEP_MS) * SENT_AT_STEP_MS) };
    case 'expired':
      return { ...change, last_error: row.last_error ?? whyExpired(row) };
    case 'gone':
      return outcome.what === 'address' ? change : { ...change, status: 'cancelled' };
    case 'retry':
      // A test by push is tried once: its member waits for the result, and can ask for another.
      return isPushTest(row)
        ? { status: 'dead', last_status: outcome.status ?? null, last_error: outcome.reason }
        : change;
    default:
      return change;
  }
}

const CHANNEL_NAMES: Record<MemberChannel, string> = { email: 'email', push: 'web push' };

/** The subject and the advice in a notice about a failed message. */
async function describeFailed(
  trx: Transaction<Schema>,
  { alert_id, announcement_id, channel }: MemberDelivery,
): Promise<{ watchId: string | null; what: string; name: string; advice: string }> {
  if (alert_id === null) {
    const { watch_id: watchId, title } = await trx
      .selectFrom('product_announcements')
      .innerJoin('products', 'products.id', 'product_announcements.product_id')
      .select(['watch_id', 'products.title'])
      .where('product_announcements.id', '=', announcement_id)
      .executeTakeFirstOrThrow();
    const advice = `It is not sent again; the page of each member lists what was sent to them.${channel === 'email' ? ' Check whether the mail server lets us send.' : ''}`;
    return { watchId, what: 'News of a product', name: title, advice };
  }
  const { id: watchId, title: name } = await trx
    .selectFrom('alerts')
    .innerJoin('watches', 'watches.id', 'alerts.watch_id')
    .select(['watches.id', 'watches.title'])
    .where('alerts.id', '=', alert_id)
    .executeTakeFirstOrThrow();
  const advice = `The monitor screen shows how many members were not reached, and can send the alert to them again.${channel === 'email' ? ' If most addresses get the same refusal, none of them is marked as bounced: check whether the mail server lets us send. "npm run members -- bounces list" shows the addresses that bounced.' : ''}`;
  return { watchId, what: 'An alert', name, advice };
}

/** Notifies the admins once per alert or announcement and channel that a member was not reached. */
async function notifyAdmins(
  trx: Transaction<Schema>,
  failed: readonly MemberDelivery[],
  adminContacts: AdminContacts,
  now: number,
): Promise<Delivery[]> {
  const first = new Map<string, MemberDelivery>();
  for (const row of failed) {
    const key = `members-failed:${row.alert_id ?? row.announcement_id}:${row.channel}`;
    if (!isTest(row) && !first.has(key)) first.set(key, row);
  }
  const notices: Delivery[] = [];
  for (const [dedupeKey, row] of first) {
    const { watchId, what, name, advice } = await describeFailed(trx, row);
    const added = await addNotice(
      trx,
      {
        watchId,
        kind: 'delivery_failed',
        dedupeKey,
        title: `${what} did not reach every member by ${CHANNEL_NAMES[row.channel]}`,
        body: `${name}. Reason of the first failure: ${row.last_error ?? 'unknown'}. ${advice}`,
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
  attempts: readonly Ended[],
  now: number,
): Promise<void> {
  for (const { row, outcome } of attempts) {
    if (outcome.kind === 'gone' && outcome.what !== 'address') {
      const why = outcome.what === 'key' ? 'refused' : 'gone';
      await endSubscription(trx, { id: row.target, why, now });
    }
    // Of an alert, `judgeBounces` decides; a mail about an announcement ends no address.
    else if (outcome.kind === 'gone' && isTest(row))
      await recordBounce(trx, { userId: row.user_id, reason: outcome.reason, now });
    else if (outcome.kind === 'ok' && row.channel === 'email' && isTest(row))
      await clearBounce(trx, { userId: row.user_id, now });
  }
}

/**
 * When the rows expire that were cancelled because their waiting room had closed, if it has reopened since: the fan-out
 * of the reopening left them out, because they were claimed.
 */
async function readReopened(
  trx: Transaction<Schema>,
  attempts: readonly Ended[],
): Promise<Map<string, string>> {
  const closed = attempts.flatMap(({ row, outcome }) => (outcome.closed === true ? [row] : []));
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

const FAULT_TEXTS: Record<ServiceFault['why'], string> = {
  refused:
    'refuses our key for most browsers. The reason is usually a wrong clock of this machine, or an APP_URL that is not the public address of the site. The browsers are kept.',
  gone: 'reports most browsers as gone. They are kept, and tried again with the next alert.',
};

/** Restores subscriptions that ended before the fault was noticed, marks their deliveries failed. Notifies once a day. */
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

/** The writes for the outcomes of attempts; see `OutboxWork.adjust`. */
export async function adjustMemberAlerts(
  trx: Transaction<Schema>,
  attempts: readonly (Ended & { change: Change })[],
  now: number,
): Promise<Change[]> {
  const reopened = await readReopened(trx, attempts);
  return attempts.map((attempt): Change => {
    const { quietUntil, ...outcome } = attempt.outcome;
    if (quietUntil !== undefined)
      return {
        status: 'pending',
        due_at: toIso(quietUntil),
        expires_at: toIso(quietUntil + ALERT_LIFETIME_MS),
        last_error: 'reason' in outcome ? (outcome.reason ?? null) : null,
      };
    const expiresAt = reopened.get(attempt.row.id);
    if (expiresAt === undefined) return adjust(attempt);
    return { status: 'pending', due_at: toIso(now), expires_at: expiresAt };
  });
}

/** The faults of push services that these attempts show, with the services' words. */
function faultsOf(attempts: readonly Ended[]): (ServiceFault & { reason: string })[] {
  const faults = new Map<string, ServiceFault & { reason: string }>();
  for (const { outcome } of attempts)
    if (outcome.fault !== undefined && outcome.kind === 'rejected')
      faults.set(`${outcome.fault.why} ${outcome.fault.host}`, { ...outcome.fault, reason: outcome.reason });
  return [...faults.values()];
}

/**
 * Writes what follows from the outcomes of attempts; see `OutboxWork.follow`. Returns the notices to the admins, to be sent,
 * the faults of push services, and how many addresses got the same refusal as most addresses of an alert, and were therefore
 * not marked as bounced.
 */
export async function followMemberAlerts(
  trx: Transaction<Schema>,
  attempts: readonly (Ended & { after: MemberDelivery })[],
  { adminContacts, now }: { adminContacts: AdminContacts; now: number },
): Promise<{ notices: Delivery[]; faults: (ServiceFault & { reason: string })[]; suspectRefusals: number }> {
  await recordConsequences(trx, attempts, now);
  const rows = attempts.map(({ after }) => after);
  const mailed = rows.filter(({ channel }) => channel === 'email').map((row) => row.alert_id);
  let suspectRefusals = 0;
  for (const alertId of new Set(mailed))
    if (alertId !== null) suspectRefusals += await judgeBounces(trx, alertId, now);
  const faults = faultsOf(attempts);
  const notices: Delivery[] = [];
  for (const { reason, ...fault } of faults)
    notices.push(...(await recordFault(trx, fault, { reason, adminContacts, now })));
  const failed = rows.filter(({ status }) => status === 'dead' || status === 'expired');
  notices.push(...(await notifyAdmins(trx, failed, adminContacts, now)));
  return { notices, faults, suspectRefusals };
}
