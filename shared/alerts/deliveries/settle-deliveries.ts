import { toIso } from '../../clock';
import type { Transaction } from '../../database/schema';
import type { Scope } from '../../database/scope';
import type { PostedByDiscord } from '../../channels/discord/discord-answer';
import type { Attempt, ChangeOf } from '../../outbox/outbox-sender';
import type { Outcome } from '../../outbox/outcome';
import type { AdminContacts } from '../admin-notices';
import { ALERT_LIFETIME_MS, FREE_DELAY_MS } from '../alert-timing';
import { rejectWebhook } from '../webhooks/webhooks';
import { notifyOfFailure, notifyOfRetry } from './delivery-notices';
import type { Delivery } from './deliveries';

/**
 * The outcome of a delivery attempt. `revision`: the alert's revision that the message shows; `sealedWebhook`: the
 * Discord webhook that was used, as stored.
 */
export type DeliveryOutcome = Outcome<
  PostedByDiscord & { revision: number; sealedWebhook?: string },
  'webhook' | 'message'
>;

type Ended = Attempt<Delivery, DeliveryOutcome>;
type Change = ChangeOf<'alert_deliveries'>;

/** A message whose alert has changed while it was being sent is edited. */
async function afterSuccess(
  trx: Transaction,
  row: Delivery,
  outcome: Extract<DeliveryOutcome, { kind: 'ok' }>,
  change: Change,
  now: number,
): Promise<Change> {
  const messageId = row.message_id ?? outcome.messageId;
  const alert = await trx
    .selectFrom('alerts')
    .select(['revision', 'kind', 'status'])
    .where('id', '=', row.alert_id)
    .executeTakeFirst();
  const isOutdated = alert !== undefined && alert.revision > outcome.revision && messageId !== null;
  // A pre-order may have ended with stock, which the free audience hears about later (closeAlert).
  const isLater = row.audience === 'free' && alert?.kind === 'preorder' && alert.status === 'closed';
  return {
    ...change,
    ...(isOutdated && { status: 'outdated', due_at: toIso(isLater ? now + FREE_DELAY_MS : now) }),
    message_id: messageId,
    sealed_webhook: messageId === null ? null : (outcome.sealedWebhook ?? row.sealed_webhook),
    sent_revision: outcome.revision,
    ...(row.sent_at === null ? { posted_at_attempt: row.attempts } : { edits: row.edits + 1 }),
    response_ms: outcome.ms,
  };
}

/**
 * A row that was being sent when its waiting room closed waits again if the room has reopened since: the reopening resumed
 * only rows that were cancelled already. The free audience is notified at least thirty seconds later, as after any
 * reopening.
 */
async function afterCancel(trx: Transaction, row: Delivery, change: Change, now: number): Promise<Change> {
  const reopened = await trx
    .selectFrom('alerts')
    .select('id')
    .where('id', '=', row.alert_id)
    .where('status', '=', 'open')
    .executeTakeFirst();
  if (reopened === undefined) return change;
  return {
    status: 'pending',
    due_at: toIso(now + FREE_DELAY_MS),
    expires_at: toIso(now + ALERT_LIFETIME_MS),
  };
}

/**
 * See `OutboxWork.scopeOf`. A message of an alert that was accepted changes rows of its watch alone, as its checks do; other
 * outcomes may hold all webhooks or notify the admins.
 */
export function scopeOfDeliveries(attempts: readonly Ended[]): Scope | undefined {
  const [attempt] = attempts;
  if (attempt === undefined || attempts.length > 1 || attempt.outcome.kind !== 'ok') return undefined;
  const { alert_id, channel, destination } = attempt.row;
  // The destination of such a row is its watch.
  return alert_id === null || channel !== 'discord' ? undefined : { watch: destination };
}

/** The writes for the outcomes of deliveries; see `OutboxWork.adjust`. */
export async function adjustDeliveries(
  trx: Transaction,
  attempts: readonly (Ended & { change: Change })[],
  now: number,
): Promise<Change[]> {
  const changes: Change[] = [];
  for (const { row, outcome, change } of attempts) {
    if (outcome.kind === 'ok') changes.push(await afterSuccess(trx, row, outcome, change, now));
    else if (outcome.kind === 'cancelled') changes.push(await afterCancel(trx, row, change, now));
    // The message was deleted in Discord, so there is nothing to edit.
    else if (outcome.kind === 'gone' && outcome.what === 'message')
      changes.push({ ...change, status: 'sent', message_id: null });
    else changes.push(change);
  }
  return changes;
}

/**
 * Delays every Discord delivery: a global rate limit applies to all webhooks of this machine (Discord docs, "Rate
 * limits", Global Rate Limit).
 */
async function holdAllWebhooks(trx: Transaction, until: number): Promise<void> {
  await trx
    .updateTable('alert_deliveries')
    .set({ due_at: toIso(until) })
    .where('channel', '=', 'discord')
    .where('status', 'in', ['pending', 'outdated'])
    .where('due_at', '<', toIso(until))
    .execute();
}

async function recordConsequence(
  trx: Transaction,
  row: Delivery,
  outcome: DeliveryOutcome,
  now: number,
): Promise<void> {
  if (outcome.kind === 'ok' && row.alert_id !== null)
    await trx
      .updateTable('monitor_checks')
      .set({ alert_sent: 1 })
      .where('id', '=', (from) =>
        from.selectFrom('alerts').select('opening_check_id').where('id', '=', row.alert_id),
      )
      .where('alert_sent', '=', 0)
      .execute();
  if (outcome.kind === 'retry' && outcome.limited === 'all')
    await holdAllWebhooks(trx, now + (outcome.waitMs ?? 0));
  if (outcome.kind === 'gone' && outcome.what === 'webhook')
    await rejectWebhook(trx, {
      watchId: row.destination,
      audience: row.audience,
      fault: outcome.reason,
      now,
    });
}

/** Adds notices about failed, abandoned, late or perhaps repeated deliveries. Returns the notices to deliver. */
async function notifyOf(
  trx: Transaction,
  { outcome, after }: Ended & { after: Delivery },
  adminContacts: AdminContacts,
  now: number,
): Promise<Delivery[]> {
  const isGivenUp =
    after.status === 'dead' ||
    after.status === 'expired' ||
    // A message that could not be edited stays as it was sent.
    (after.status === 'sent' && (outcome.kind === 'retry' || outcome.kind === 'expired'));
  if (isGivenUp) return notifyOfFailure(trx, after, after.last_error ?? 'unknown', adminContacts, now);
  return outcome.kind === 'retry' ? notifyOfRetry(trx, after, outcome, { adminContacts, now }) : [];
}

/** Writes what follows from the outcomes of deliveries; see `OutboxWork.follow`. Returns the notices to deliver. */
export async function followDeliveries(
  trx: Transaction,
  attempts: readonly (Ended & { after: Delivery })[],
  { adminContacts, now }: { adminContacts: AdminContacts; now: number },
): Promise<Delivery[]> {
  const notices: Delivery[] = [];
  for (const attempt of attempts) {
    await recordConsequence(trx, attempt.row, attempt.outcome, now);
    notices.push(...(await notifyOf(trx, attempt, adminContacts, now)));
  }
  return notices;
}
