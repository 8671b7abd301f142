import type { Selectable } from 'kysely';
import type { Clock } from '../clock';
import type { Database } from '../database/connection.server';
import type { WriteRetrier } from '../database/write-retrier';
import type { AdminNoticesTable } from '../database/tables/admin-notices';
import type { Keyring } from '../keyring.server';
import type { Logger } from '../logger.server';
import type { Mailer } from '../mail/mailer.server';
import type { AdminReach } from './admin-notices';
import type { Alert } from './alert-changes';
import { claimDelivery } from './claim-delivery';
import type { DiscordAnswer, DiscordWebhooks } from './discord-webhook.server';
import type { DueDelivery } from '../queues/catalogue';
import type { Delivery } from './outbox';
import { recordOutcome, type Outcome } from './record-outcome';
import { renderAlertMessage, renderNoticeMessage, type DiscordMessage } from './render-discord-message';
import { parseWebhookAddress } from './webhook-address';
import { openWebhook, sealAgain, UNREADABLE_WEBHOOK } from './webhook-seal.server';
import { markWebhook } from './webhooks';

/** What a sender needs; built once per process. */
export interface SenderContext {
  db: Database;
  /** Opens the stored webhooks. */
  keyring: Keyring;
  discord: DiscordWebhooks;
  mailer: Mailer | null;
  clock: Clock;
  logger: Logger;
  appUrl: string;
  webhookHosts: readonly string[];
  reach: AdminReach;
  /** This process, as claims name it. */
  owner: string;
  /** Keeps the outcome of an attempt until the database takes it: a message whose fate is known is not sent again. */
  outcomes: WriteRetrier;
  /** Awaited before a stored time is compared with now (see `ClockSteps`). */
  settleClock?: () => Promise<void>;
  /** Told of every attempt, for metrics. */
  onOutcome?: (row: Delivery, outcome: Outcome) => void;
}

type Subject = { alert: Alert; notice: null } | { alert: null; notice: Selectable<AdminNoticesTable> };

async function readSubject({ db }: SenderContext, row: Delivery): Promise<Subject> {
  if (row.alert_id !== null) {
    return {
      alert: await db
        .selectFrom('alerts')
        .selectAll()
        .where('id', '=', row.alert_id)
        .executeTakeFirstOrThrow(),
      notice: null,
    };
  }
  return {
    alert: null,
    notice: await db
      .selectFrom('admin_notices')
      .selectAll()
      .where('id', '=', row.notice_id)
      .executeTakeFirstOrThrow(),
  };
}

interface DiscordDestination {
  /** As it is stored. */
  webhook: { stored: string; fault: string | null } | null;
  /** Pinged by the first post. */
  roleId: string | null;
}

/** The webhook and the role of a delivery, in one read: this is on the way of every alert. */
async function readDestination({ db }: SenderContext, row: Delivery): Promise<DiscordDestination> {
  const roleKey = `discord_role_id_${row.audience}`;
  const settings = await db
    .selectFrom('monitor_settings')
    .select(['setting_key', 'setting_value', 'fault'])
    .where('setting_key', 'in', [row.destination, roleKey])
    .execute();
  const webhook = settings.find((setting) => setting.setting_key === row.destination);
  const role = settings.find((setting) => setting.setting_key === roleKey)?.setting_value ?? '';
  return {
    webhook: webhook === undefined ? null : { stored: webhook.setting_value, fault: webhook.fault },
    roleId: /^\d{17,20}$/.test(role) ? role : null,
  };
}

function renderFor(
  { appUrl }: SenderContext,
  row: Delivery,
  subject: Subject,
  roleId: string | null,
): DiscordMessage {
  if (subject.notice !== null) return renderNoticeMessage(subject.notice, appUrl);
  return renderAlertMessage({
    alert: subject.alert,
    audience: row.audience === 'free' ? 'free' : 'instant',
    appUrl,
    roleId,
    mayRepeat: row.uncertain === 1 && row.sent_at === null,
  });
}

function refusal(reason: string): Outcome {
  return { is: 'refused', status: null, reason, gone: null };
}

async function sendByDiscord(context: SenderContext, row: Delivery, subject: Subject): Promise<Outcome> {
  const { webhook: current, roleId } = await readDestination(context, row);
  const messageId = row.sent_at === null ? null : row.message_id;
  // Only the webhook that posted a message can edit it, whatever has taken its place since. Messages of an earlier
  // release do not say which it was.
  const stored = (messageId === null ? null : row.sealed_webhook) ?? current?.stored ?? null;
  if (stored === null) return refusal('the webhook is no longer set');
  const url = openWebhook(context.keyring, stored);
  if (url === null) return refusal(UNREADABLE_WEBHOOK);
  const address = parseWebhookAddress(url, context.webhookHosts);
  if (address === null) return refusal('the stored webhook is not on an allowed Discord host');

  const isCurrent = current !== null && openWebhook(context.keyring, current.stored) === url;
  if (isCurrent && current.fault !== null) {
    // A refused webhook is asked before it is used again: no message is lost when it was mended meanwhile.
    const look = await context.discord.look(address);
    if (look.is !== 'done') return look;
    await markWebhook(context.db, { settingKey: row.destination, fault: null, clock: context.clock });
  }

  const message = renderFor(context, row, subject, roleId);
  const answer: DiscordAnswer =
    messageId === null
      ? await context.discord.post(address, message)
      : await context.discord.edit(address, messageId, message);
  if (answer.is === 'done')
    return {
      ...answer,
      revision: subject.alert?.revision ?? 1,
      sealedWebhook: sealAgain(context.keyring, stored),
    };
  // The webhook that is set now is not the one that Discord refused.
  if (answer.is === 'refused' && answer.gone === 'webhook' && !isCurrent)
    return {
      ...answer,
      gone: null,
      reason: `${answer.reason}; the message was posted with a webhook that is no longer set`,
    };
  return answer;
}

async function sendByMail(context: SenderContext, row: Delivery, subject: Subject): Promise<Outcome> {
  if (context.mailer === null)
    return { is: 'refused', status: null, reason: 'mail is switched off', gone: null };
  if (subject.notice === null)
    return { is: 'refused', status: null, reason: 'alerts have no mail form', gone: null };
  const began = performance.now();
  const text = `${subject.notice.body}\n\n${context.appUrl}\n`;
  const answer = await context.mailer.send({ to: row.destination, subject: subject.notice.title, text });
  switch (answer.is) {
    case 'done':
      return {
        is: 'done',
        status: 250,
        messageId: null,
        ms: Math.round(performance.now() - began),
        revision: 1,
      };
    case 'again':
      return { is: 'again', status: null, reason: answer.reason, uncertain: false };
    case 'refused':
      return { is: 'refused', status: answer.status, reason: answer.reason, gone: null };
  }
}

/** Whether a claimed post still has anybody to tell. */
function isPointless(row: Delivery, subject: Subject): boolean {
  return (
    row.sent_at === null &&
    row.audience === 'free' &&
    subject.alert !== null &&
    subject.alert.status !== 'open'
  );
}

/**
 * Sends a delivery that this process has claimed and records what came of it. Outside faults never throw.
 * Returns the deliveries to come back to: this one again, or notices that follow from it.
 */
export async function sendClaimed(context: SenderContext, row: Delivery): Promise<DueDelivery[]> {
  const subject = await readSubject(context, row);
  let outcome: Outcome;
  if (row.sent_at === null && Date.parse(row.expires_at) <= context.clock.now()) outcome = { is: 'expired' };
  else if (isPointless(row, subject)) outcome = { is: 'cancelled' };
  else
    outcome =
      row.channel === 'discord'
        ? await sendByDiscord(context, row, subject)
        : await sendByMail(context, row, subject);

  const endedAt = context.clock.now();
  const log = {
    deliveryId: row.id,
    audience: row.audience,
    channel: row.channel,
    attempt: row.attempts,
    outcome: outcome.is,
  };
  if (outcome.is === 'done')
    context.logger.info({ ...log, ms: outcome.ms, edit: row.sent_at !== null }, 'delivered');
  else if (outcome.is === 'cancelled') context.logger.info(log, 'not needed any more');
  else
    context.logger.warn(
      { ...log, reason: 'reason' in outcome ? outcome.reason : undefined },
      'not delivered',
    );
  const due = await context.outcomes.untilWritten(async () => {
    await context.settleClock?.();
    return recordOutcome(context, row, outcome, endedAt);
  });
  context.onOutcome?.(row, outcome);
  return due;
}

/** Claims a delivery if it is due and free, and sends it. Returns the deliveries to come back to. */
export async function deliver(context: SenderContext, deliveryId: string): Promise<DueDelivery[]> {
  await context.settleClock?.();
  const row = await claimDelivery(context.db, {
    id: deliveryId,
    owner: context.owner,
    now: context.clock.now(),
  });
  return row === null ? [] : sendClaimed(context, row);
}
