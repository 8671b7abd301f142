import { sql, type Selectable } from 'kysely';
import { toIso } from '../clock';
import { prepareQuery } from '../database/prepare-query';
import type { Transaction } from '../database/schema';
import type { AlertsTable } from '../database/tables/monitor/alerts';
import { newId } from '../ids';
import { addNotice, type AdminContacts } from './admin-notices';
import { NO_OFFER, offerColumns, variantsOf, type AlertedOffer } from './alerted-offer';
import { EDIT_LIFETIME_MS, FREE_DELAY_MS, ALERT_LIFETIME_MS } from './alert-timing';
import { addDeliveries, type Delivery } from './deliveries/deliveries';
import { listUsedAudiences } from './webhooks/used-webhook';
import type { Audience } from './webhooks/webhooks';

export type Alert = Selectable<AlertsTable>;

/** The newest alert of a watch and its page, whatever its status, or null. */
export async function findNewestAlert(
  trx: Transaction,
  { watchId, targetUrl }: { watchId: string; targetUrl: string },
): Promise<Alert | null> {
  const [alert] = await selectNewestAlert(trx, { watchId, targetUrl });
  return alert ?? null;
}

const selectNewestAlert = prepareQuery((db, { watchId, targetUrl }: { watchId: string; targetUrl: string }) =>
  db
    .selectFrom('alerts')
    .selectAll()
    .where('watch_id', '=', watchId)
    .where('target_url', '=', targetUrl)
    .orderBy('ordinal', 'desc')
    .limit(1),
);

export interface OpenAlertInput {
  watchId: string;
  targetUrl: string;
  kind: Alert['kind'];
  /** Null: the alert is about a waiting room. */
  offer: AlertedOffer | null;
  /** The page's newest alert, or null. */
  newest: Alert | null;
  strength: 'strong' | 'weak';
  checkId: string;
  now: number;
  /** The process that sends due rows right after the commit; null: the sweep sends them. */
  sender: string | null;
  adminContacts: AdminContacts;
}

/** The columns that restart the fan-out of an alert, including members who were listed before but not notified. */
const listMembersFrom = (now: number) => ({
  fan_out_status: 'pending' as const,
  fan_out_at: toIso(now),
  fan_out_after: null,
});

const insertAlert = prepareQuery((db, alert: Alert) => db.insertInto('alerts').values(alert));

/** The notice to admins about an alert without an instant webhook. */
const NO_RECEIVER: Record<Alert['kind'], string> = {
  waiting_room: 'The waiting room opened',
  restock: 'A product is back in stock',
  preorder: 'A product can be pre-ordered',
};

/**
 * Opens an alert with one outbox row per audience that has a webhook: the instant one due now, the free one
 * `FREE_DELAY_MS` later. The webhook is looked up (`findUsedWebhook`) when a message is sent. Without an instant webhook
 * the admins are notified instead.
 */
export async function openAlert(
  trx: Transaction,
  input: OpenAlertInput,
): Promise<{ alertId: string; deliveries: Delivery[] }> {
  const { now, watchId, kind } = input;
  const alertId = newId();
  await insertAlert(trx, {
    id: alertId,
    watch_id: watchId,
    target_url: input.targetUrl,
    kind,
    ...NO_OFFER,
    ...(input.offer !== null && offerColumns(input.offer)),
    ordinal: (input.newest?.ordinal ?? 0) + 1,
    status: 'open',
    strength: input.strength,
    opened_at: toIso(now),
    last_seen_at: toIso(now),
    closed_at: null,
    close_reason: null,
    suspended_at: null,
    revision: 1,
    ...listMembersFrom(now),
    opening_check_id: input.checkId,
    closing_check_id: null,
  });
  const audiences = await listUsedAudiences(trx, { watchId, isProduct: kind !== 'waiting_room' });
  const receivers = [
    { audience: 'instant' as const, dueAt: now },
    { audience: 'free' as const, dueAt: now + FREE_DELAY_MS },
  ].filter(({ audience }) => audiences.has(audience));
  const deliveries = await addDeliveries(
    trx,
    receivers.map(({ audience, dueAt }) => ({
      alertId,
      audience,
      channel: 'discord',
      destination: watchId,
      dueAt,
      expiresAt: now + ALERT_LIFETIME_MS,
      owner: input.sender,
    })),
    now,
  );
  if (!audiences.has('instant')) {
    const notices = await addNotice(
      trx,
      {
        watchId,
        kind: 'no_receiver',
        dedupeKey: `no-receiver:${alertId}`,
        title: `${NO_RECEIVER[kind]}, but no instant webhook is set`,
        body: 'Set the instant webhook on the monitor screen or with "npm run monitor -- webhook set URL".',
      },
      input.adminContacts,
      now,
    );
    deliveries.push(...notices);
  }
  return { alertId, deliveries };
}

/**
 * Marks posted messages as outdated, so that they are edited. Skips rows that are being sent: their sender compares
 * revisions when it records the outcome. `freeAt`: when the free message is edited, if later than `now`.
 */
async function outdateMessages(
  trx: Transaction,
  alertId: string,
  now: number,
  { freeAt = now } = {},
): Promise<Delivery[]> {
  const byAudience = (value: (dueAt: number) => number) =>
    sql<string>`case when audience = 'free' then ${toIso(value(freeAt))} else ${toIso(value(now))} end`;
  return trx
    .updateTable('alert_deliveries')
    .set({
      status: 'outdated',
      due_at: byAudience((dueAt) => dueAt),
      expires_at: byAudience((dueAt) => dueAt + EDIT_LIFETIME_MS),
      updated_at: toIso(now),
    })
    .where('alert_id', '=', alertId)
    .where('channel', '=', 'discord')
    .where('status', 'in', ['sent', 'outdated'])
    .where('message_id', 'is not', null)
    .returningAll()
    .execute();
}

/** Cancels unsent messages to these audiences, because they are out of date. */
async function cancelUnsent(
  trx: Transaction,
  { alertId, audiences, now }: { alertId: string; audiences: readonly Audience[]; now: number },
): Promise<void> {
  await trx
    .updateTable('alert_deliveries')
    .set({ status: 'cancelled', updated_at: toIso(now) })
    .where('alert_id', '=', alertId)
    .where('audience', 'in', audiences)
    .where('status', '=', 'pending')
    .execute();
}

/** Records that what the alert announced is still there. */
export async function markAlertSeen(trx: Transaction, alert: Alert, now: number): Promise<void> {
  await trx
    .updateTable('alerts')
    .set({ last_seen_at: toIso(now) })
    .where('id', '=', alert.id)
    .execute();
}

/**
 * Records that an announced offer still exists, with its current values. Returns the messages to edit if the price, the
 * variants or, with `isEdited`, the remaining stock changed. A new variant restarts the fan-out for the members who
 * follow it; the others have their rows already.
 */
export async function keepOffer(
  trx: Transaction,
  { alert, offer, isEdited, now }: { alert: Alert; offer: AlertedOffer; isEdited: boolean; now: number },
): Promise<{ deliveries: Delivery[]; hasNewVariant: boolean }> {
  const shown = offerColumns(offer);
  const listed = new Set(variantsOf(alert).map(({ key }) => key));
  const hasNewVariant = offer.variants.some(({ key }) => !listed.has(key));
  const isSame =
    shown.price_amount === alert.price_amount &&
    shown.price_currency === alert.price_currency &&
    shown.variants === alert.variants;
  if (isSame && !isEdited) {
    await markAlertSeen(trx, alert, now);
    return { deliveries: [], hasNewVariant: false };
  }
  await trx
    .updateTable('alerts')
    .set({
      ...shown,
      last_seen_at: toIso(now),
      revision: alert.revision + 1,
      ...(hasNewVariant && listMembersFrom(now)),
    })
    .where('id', '=', alert.id)
    .execute();
  return { deliveries: await outdateMessages(trx, alert.id, now), hasNewVariant };
}

/**
 * Closes an alert at `closedAt` (the first check that did not see what it announced) and returns the messages to edit.
 * `isRestocked`: the product came in stock, which the free audience must not see before its own restock message.
 */
export async function closeAlert(
  trx: Transaction,
  {
    alert,
    checkId,
    closedAt,
    isRestocked = false,
    now,
  }: { alert: Alert; checkId: string; closedAt: string; isRestocked?: boolean; now: number },
): Promise<Delivery[]> {
  await trx
    .updateTable('alerts')
    .set({
      status: 'closed',
      closed_at: closedAt,
      suspended_at: null,
      closing_check_id: checkId,
      revision: alert.revision + 1,
    })
    .where('id', '=', alert.id)
    .execute();
  await cancelUnsent(trx, { alertId: alert.id, audiences: ['free'], now });
  return outdateMessages(trx, alert.id, now, isRestocked ? { freeAt: now + FREE_DELAY_MS } : {});
}

/** Closes alerts that no check can close any more, and returns the messages to edit. */
async function endAlerts(
  trx: Transaction,
  { alerts, reason, now }: { alerts: readonly Alert[]; reason: keyof typeof ENDED_UNSENT; now: number },
): Promise<Delivery[]> {
  const outdated: Delivery[] = [];
  for (const alert of alerts) {
    await trx
      .updateTable('alerts')
      .set({
        status: 'closed',
        closed_at: alert.last_seen_at,
        close_reason: reason,
        suspended_at: null,
        revision: alert.revision + 1,
      })
      .where('id', '=', alert.id)
      .execute();
    await cancelUnsent(trx, { alertId: alert.id, audiences: ENDED_UNSENT[reason], now });
    outdated.push(...(await outdateMessages(trx, alert.id, now)));
  }
  return outdated;
}

/** The audiences whose unsent messages are cancelled when an alert ends this way. */
const ENDED_UNSENT = { moved: ['free'], not_seen: ['free'], removed: ['instant', 'free'] } as const;

/**
 * Closes an alert whose waiting room was last seen too long ago to know when it closed, and edits its messages. Returns
 * those messages.
 */
export async function closeUnseenAlert(
  trx: Transaction,
  { alert, now }: { alert: Alert; now: number },
): Promise<Delivery[]> {
  return endAlerts(trx, { alerts: [alert], reason: 'not_seen', now });
}

/**
 * Closes the alerts of a watch for pages other than `targetUrl`, which no check can close any more, and edits their
 * messages. Returns those messages.
 */
export async function closeMovedAlerts(
  trx: Transaction,
  { watchId, targetUrl, now }: { watchId: string; targetUrl: string; now: number },
): Promise<Delivery[]> {
  const alerts = await trx
    .selectFrom('alerts')
    .selectAll()
    .where('status', 'in', ['open', 'suspended'])
    .where('watch_id', '=', watchId)
    .where('target_url', '<>', targetUrl)
    .execute();
  return endAlerts(trx, { alerts, reason: 'moved', now });
}

/** Closes the alerts of a watch that is deleted: cancels messages that are not sent yet, edits the others. */
export async function closeRemovedAlerts(
  trx: Transaction,
  { watchId, now }: { watchId: string; now: number },
): Promise<void> {
  const alerts = await trx
    .selectFrom('alerts')
    .selectAll()
    .where('status', 'in', ['open', 'suspended'])
    .where('watch_id', '=', watchId)
    .execute();
  await endAlerts(trx, { alerts, reason: 'removed', now });
}

/** Suspends an alert while monitoring is paused: the messages say so and do not claim that the room closed. */
export async function suspendAlert(trx: Transaction, alert: Alert, now: number): Promise<Delivery[]> {
  await trx
    .updateTable('alerts')
    .set({ status: 'suspended', suspended_at: toIso(now), revision: alert.revision + 1 })
    .where('id', '=', alert.id)
    .execute();
  await cancelUnsent(trx, { alertId: alert.id, audiences: ['free'], now });
  return outdateMessages(trx, alert.id, now);
}

/**
 * Continues a closed or suspended alert. Messages are edited back; if the free audience was not notified yet, it is
 * notified thirty seconds from now. After a close the fan-out restarts, because members who were not notified yet were
 * skipped.
 */
export async function continueAlert(
  trx: Transaction,
  {
    alert,
    offer = null,
    changes = {},
    now,
  }: {
    alert: Alert;
    /** Null: the alert is about a waiting room. */
    offer?: AlertedOffer | null;
    changes?: Partial<Pick<Alert, 'trickling' | 'reopened_at'>>;
    now: number;
  },
): Promise<Delivery[]> {
  await trx
    .updateTable('alerts')
    .set({
      status: 'open',
      closed_at: null,
      close_reason: null,
      suspended_at: null,
      closing_check_id: null,
      last_seen_at: toIso(now),
      revision: alert.revision + 1,
      ...(offer !== null && offerColumns(offer)),
      ...changes,
      ...(alert.status === 'closed' && listMembersFrom(now)),
    })
    .where('id', '=', alert.id)
    .execute();
  const resumed = await trx
    .updateTable('alert_deliveries')
    .set({
      status: 'pending',
      due_at: toIso(now + FREE_DELAY_MS),
      expires_at: toIso(now + ALERT_LIFETIME_MS),
      updated_at: toIso(now),
    })
    .where('alert_id', '=', alert.id)
    .where('audience', '=', 'free')
    .where('status', '=', 'cancelled')
    .returningAll()
    .execute();
  return [...(await outdateMessages(trx, alert.id, now)), ...resumed];
}
