import type { Selectable } from 'kysely';
import { toIso } from '../../clock';
import { prepareQuery } from '../../database/prepare-query';
import type { AdminNoticesTable } from '../../database/tables/admin-notices';
import type { Keyring } from '../../secrets.server';
import { messageIdOf, type Mailer } from '../../channels/email/mailer.server';
import { createOutboxSender, type OutboxSender, type SenderContext } from '../../outbox/outbox-sender';
import type { AdminContacts } from '../admin-notices';
import type { Alert } from '../alert-changes';
import type { DiscordAnswer } from '../../channels/discord/discord-answer';
import type { DiscordWebhooks } from '../../channels/discord/discord-webhook.server';
import { deliveryOutbox, type Delivery } from './deliveries';
import {
  adjustDeliveries,
  followDeliveries,
  scopeOfDeliveries,
  type DeliveryOutcome,
} from './settle-deliveries';
import type { DiscordMessage } from '../../channels/discord/discord-message';
import type { MessageFacts } from '../describe-offer';
import { readInStockAt } from '../following-restocks';
import { notifiedTimes } from '../head-start';
import { readPriceFacts } from '../price-facts';
import {
  renderAlertMessage,
  renderNoticeMessage,
  type AlertedWatch,
  type AlertMessages,
} from '../render-discord-message';
import { parseWebhookAddress, withThread, type WebhookAddress } from '../../channels/discord/webhook-address';
import { openWebhook, sealAgain, sealWebhook, UNREADABLE_WEBHOOK } from '../webhooks/webhook-seal.server';
import { findUsedWebhook } from '../webhooks/used-webhook';
import { trustWebhook } from '../webhooks/webhooks';

export interface DeliverySenderContext extends SenderContext<Delivery, DeliveryOutcome> {
  /** Opens the stored webhooks. */
  keyring: Keyring;
  discord: DiscordWebhooks;
  /** `null`: mail is switched off. */
  mailer: Mailer | null;
  appUrl: string;
  webhookHosts: readonly string[];
  adminContacts: AdminContacts;
  /** Delivers the notices about failed attempts; without it the daemon's sweep does. */
  onNotices?: (notices: readonly Delivery[]) => void;
}

type Subject =
  | { alert: Alert & AlertedWatch; offer: MessageFacts | null; messages: AlertMessages; notice: null }
  | { alert: null; notice: Selectable<AdminNoticesTable> };

/** The alert with its watch, and both of its messages: a row for each. */
const selectAlert = prepareQuery((db, { alertId }: { alertId: string }) =>
  db
    .selectFrom('alerts')
    .innerJoin('watches', 'watches.id', 'alerts.watch_id')
    .leftJoin('products', 'products.id', 'watches.product_id')
    .innerJoin('alert_deliveries as messages', 'messages.alert_id', 'alerts.id')
    .selectAll('alerts')
    .select(['watches.slug', 'watches.shop', 'watches.last_availability'])
    // The title of a product's watch names the shop as well, which the message has as a field.
    .select(({ fn }) => fn.coalesce('products.title', 'watches.title').as('title'))
    .select('products.image_upload_id as imageUploadId')
    .select(['messages.audience', 'messages.channel', 'messages.sent_at as sentAt'])
    .select('messages.status as messageStatus')
    .where('alerts.id', '=', alertId),
);

/** The states of both messages of an alert at the time of sending `row`. */
function describeMessages(
  row: Delivery,
  found: Awaited<ReturnType<typeof selectAlert>>,
  now: number,
): AlertMessages {
  const { instantAt, freeAt } = notifiedTimes(
    found.map(({ messageStatus: status, ...message }) => ({ ...message, status })),
  );
  const free = found.find(({ audience }) => audience === 'free')?.messageStatus;
  return {
    instantAt,
    freeAt: freeAt ?? (row.audience === 'free' ? toIso(now) : null),
    free: free === 'pending' || free === 'cancelled' ? free : null,
  };
}

/** Null: the alert is missing, because a promoted standby never received the transaction that wrote alert and row. */
async function readSubject(context: DeliverySenderContext, row: Delivery): Promise<Subject | null> {
  const { db } = context;
  if (row.alert_id !== null) {
    const found = await selectAlert(db, { alertId: row.alert_id });
    const [alert] = found;
    if (alert === undefined) return null;
    const now = context.clock.now();
    const offer =
      alert.kind === 'waiting_room'
        ? null
        : {
            isLimited: alert.last_availability === 'limited',
            ...(await readPriceFacts(db, { alert, now })),
            inStockAt: await readInStockAt(db, {
              alert,
              audience: row.audience === 'instant' ? 'instant' : 'free',
              now,
            }),
          };
    return { alert, offer, messages: describeMessages(row, found, now), notice: null };
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

function renderFor(
  { appUrl }: DeliverySenderContext,
  row: Delivery,
  subject: Subject,
  roleId: string | null,
): DiscordMessage {
  const mayRepeat = row.uncertain === 1 && row.sent_at === null;
  if (subject.notice !== null) return renderNoticeMessage(subject.notice, appUrl, { mayRepeat });
  return renderAlertMessage({
    alert: subject.alert,
    watch: subject.alert,
    offer: subject.offer,
    messages: subject.messages,
    audience: row.audience === 'free' ? 'free' : 'instant',
    appUrl,
    // Members who have seen the first message are not pinged again.
    roleId: mayRepeat ? null : roleId,
    mayRepeat,
  });
}

const rejection = (reason: string, status?: number | null): DeliveryOutcome => ({
  kind: 'rejected',
  status: status ?? null,
  reason,
});

/** Whether a stored webhook is this one, in any thread. */
function isSameWebhook(
  { keyring, webhookHosts }: DeliverySenderContext,
  stored: string,
  address: WebhookAddress,
): boolean {
  const url = openWebhook(keyring, stored);
  return url !== null && parseWebhookAddress(url, webhookHosts)?.endpoint === address.endpoint;
}

async function sendByDiscord(
  context: DeliverySenderContext,
  row: Delivery,
  subject: Subject,
): Promise<DeliveryOutcome> {
  const { destination: watchId, audience } = row;
  const current = await findUsedWebhook(context.db, { watchId, audience });
  const messageId = row.sent_at === null ? null : row.message_id;
  // Only the webhook that posted a message can edit it, even after it was replaced. Messages of older releases do not
  // record it.
  const stored = (messageId === null ? null : row.sealed_webhook) ?? current?.stored ?? null;
  if (stored === null) return rejection('the webhook is no longer set');
  const url = openWebhook(context.keyring, stored);
  if (url === null) return rejection(UNREADABLE_WEBHOOK);
  const address = parseWebhookAddress(url, context.webhookHosts);
  if (address === null) return rejection('the stored webhook is not on an allowed Discord host');

  const isCurrent =
    current !== null && (current.stored === stored || isSameWebhook(context, current.stored, address));
  if (isCurrent && current.fault !== null) {
    // Verify a rejected webhook before use: if it works again, no message is lost.
    const answer = await context.discord.verify(address);
    if (answer.kind !== 'ok') return answer;
    await trustWebhook(context.db, current.key);
  }

  const message = renderFor(context, row, subject, current?.roleId ?? null);
  const answer: DiscordAnswer =
    messageId === null
      ? await context.discord.post(address, message)
      : await context.discord.edit(address, messageId, message);
  if (answer.kind === 'ok')
    return {
      ...answer,
      revision: subject.alert?.revision ?? 1,
      // A message in a thread can be edited only there.
      sealedWebhook:
        answer.newThreadId === undefined
          ? sealAgain(context.keyring, stored)
          : sealWebhook(context.keyring, withThread(address.endpoint, answer.newThreadId)),
    };
  // The webhook that Discord rejected is not the current one.
  if (answer.kind === 'gone' && answer.what === 'webhook' && !isCurrent)
    return rejection(
      `${answer.reason}; the message was posted with a webhook that is no longer set`,
      answer.status,
    );
  return answer;
}

async function sendByMail(
  { mailer, appUrl }: DeliverySenderContext,
  { id, destination }: Delivery,
  { notice }: Subject,
): Promise<DeliveryOutcome> {
  if (mailer === null) return rejection('mail is switched off');
  if (notice === null) return rejection('alerts have no mail form');
  const began = performance.now();
  const answer = await mailer.send({
    to: destination,
    subject: notice.title,
    text: `${notice.body}\n\n${appUrl}\n`,
    messageId: messageIdOf(id, appUrl),
  });
  if (answer.kind === 'ok')
    return { ...answer, messageId: null, ms: Math.round(performance.now() - began), revision: 1 };
  return answer.kind === 'gone' ? rejection(answer.reason, answer.status) : answer;
}

/** A first message of an alert that is no longer open to the free audience, or of a deleted watch to any. */
function isObsolete(row: Delivery, { alert }: Subject): boolean {
  if (row.sent_at !== null || alert === null) return false;
  return alert.close_reason === 'removed' || (row.audience === 'free' && alert.status !== 'open');
}

async function send(context: DeliverySenderContext, row: Delivery): Promise<DeliveryOutcome> {
  const subject = await readSubject(context, row);
  if (subject === null || isObsolete(row, subject)) return { kind: 'cancelled' };
  return row.channel === 'discord' ? sendByDiscord(context, row, subject) : sendByMail(context, row, subject);
}

/** Sends the deliveries of alerts and of notices to the admins. */
export function createDeliverySender(
  context: DeliverySenderContext,
): OutboxSender<Delivery, DeliveryOutcome> {
  return createOutboxSender<'alert_deliveries', DeliveryOutcome>(context, {
    outbox: deliveryOutbox,
    send: (row) => send(context, row),
    scopeOf: scopeOfDeliveries,
    adjust: adjustDeliveries,
    async follow(trx, attempts, now) {
      const notices = await followDeliveries(trx, attempts, { adminContacts: context.adminContacts, now });
      return () => context.onNotices?.(notices);
    },
    describe: ({ id, audience, channel, sent_at }) => ({
      deliveryId: id,
      audience,
      channel,
      edit: sent_at !== null,
    }),
  });
}
