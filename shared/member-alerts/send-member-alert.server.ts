import type { Kysely } from 'kysely';
import { unsubscribeUrl } from '../accounts/unsubscribe';
import type { AdminContacts } from '../alerts/admin-notices';
import type { Delivery } from '../alerts/deliveries/deliveries';
import { messageIdOf, type Mailer } from '../channels/email/mailer.server';
import type { PushClient } from '../channels/push/push-client.server';
import { SECOND } from '../clock';
import type { Schema } from '../database/schema';
import { renderAlertMail, renderOfferMail } from '../mail/alert-mail';
import { createOutboxSender, type OutboxSender, type SenderContext } from '../outbox/outbox-sender';
import { endpointHost } from '../push/ended-subscriptions';
import { createFaultGuard, type FaultGuard } from '../push/fault-guard';
import type { Keyring } from '../secrets.server';
import { isTest, memberOutbox, type MemberDelivery, type MemberOutcome } from './member-outbox';
import { addressBatch, type Addressed, type MemberMessage } from './read-batch';
import { offerWords } from './offer-words';
import { adjustMemberAlerts, followMemberAlerts } from './record-outcomes';
import { PRODUCT_NAME } from '../brand';

/** The payload for `public/push-worker.js`: the same `tag` replaces a notification; `url` leads to the shop through us. */
function renderPush({ kind, watch, offer, quietUntil, openedAt }: MemberMessage, appUrl: string): string {
  const silent = quietUntil === null ? {} : { silent: true };
  if (kind === 'test')
    return JSON.stringify({
      title: `Test: alerts from ${PRODUCT_NAME} reach you`,
      body: 'Nothing has opened. This is the test that you requested.',
      url: `${appUrl}/account`,
      tag: 'test',
      at: openedAt,
    });
  if (offer !== null) {
    const { title, body } = offerWords(offer);
    return JSON.stringify({
      title,
      body,
      url: `${appUrl}/restock/${offer.product.slug}`,
      // The offers of one product at several retailers are told beside each other.
      tag: `alert-${watch.slug}`,
      at: openedAt,
      ...silent,
    });
  }
  return JSON.stringify({
    title: `${watch.shop}: the waiting room is open`,
    body: watch.title === watch.shop ? 'Join now.' : `${watch.title}. Join now.`,
    url: `${appUrl}/restock/${watch.slug}`,
    tag: `alert-${watch.slug}`,
    at: openedAt,
    ...silent,
  });
}

export interface MemberSenderContext extends SenderContext<MemberDelivery, MemberOutcome> {
  db: Kysely<Schema>;
  /** Makes the unsubscribe links. */
  keyring: Keyring;
  /** `null`: mail is switched off. */
  mailer: Mailer | null;
  push: PushClient;
  appUrl: string;
  adminContacts: AdminContacts;
  /** Sends notices to the admins. */
  onNotices?: (notices: readonly Delivery[]) => void;
}

/** A member waits for the result of a test, and it must not occupy its slot for long. */
const TEST_TIMEOUT_MS = 5 * SECOND;

async function sendByMail(
  { mailer, keyring, appUrl, clock }: MemberSenderContext,
  { id }: MemberDelivery,
  { to, userId, message }: Extract<Addressed, { kind: 'email' }>,
): Promise<MemberOutcome> {
  if (mailer === null) return { kind: 'rejected', reason: 'mail is switched off' };
  const { kind, watch, offer, openedAt } = message;
  const common = {
    openedAt,
    link: message.targetUrl ?? `${appUrl}/account`,
    appUrl,
    unsubscribeUrl: unsubscribeUrl({ keyring, appUrl }, { userId, now: clock.now() }),
  };
  return mailer.send({
    to,
    ...(offer === null
      ? renderAlertMail({ kind, watch, ...common })
      : renderOfferMail({
          ...offerWords(offer),
          retailer: offer.retailer,
          slug: offer.product.slug,
          ...common,
        })),
    messageId: messageIdOf(id, appUrl),
  });
}

/** Equal for every message about an alert, so that a repeat replaces one that waits for its browser. */
function topicOf({ alert_id, announcement_id, id }: MemberDelivery): string {
  return (alert_id ?? announcement_id ?? id).replaceAll('-', '').slice(0, 32);
}

async function sendByPush(
  { push, appUrl, clock }: MemberSenderContext,
  guard: FaultGuard,
  row: MemberDelivery,
  { to, message }: Extract<Addressed, { kind: 'push' }>,
): Promise<MemberOutcome> {
  const answer = await push.send(to, {
    payload: renderPush(message, appUrl),
    ttlSeconds: Math.max(0, Math.floor((message.expiresAt - clock.now()) / SECOND)),
    topic: topicOf(row),
    ...(isTest(row) && { timeoutMs: TEST_TIMEOUT_MS }),
  });
  // A test says nothing about other members, and any account can send one to a host that it chose.
  if (isTest(row)) return answer;
  const host = endpointHost(to.endpoint);
  if (answer.kind === 'ok') guard.count(host, 'accepted');
  if (answer.kind !== 'gone') return answer;
  const fault = guard.count(host, answer.what === 'key' ? 'refused' : 'gone');
  return fault === null ? answer : { ...answer, kind: 'rejected', fault };
}

async function send(
  context: MemberSenderContext,
  guard: FaultGuard,
  row: MemberDelivery,
  addressed: Addressed,
): Promise<MemberOutcome> {
  if (addressed.kind === 'email') return sendByMail(context, row, addressed);
  return addressed.kind === 'push' ? sendByPush(context, guard, row, addressed) : addressed;
}

/** Sends the alerts to members and the tests that they asked for. */
export function createMemberSender(
  context: MemberSenderContext,
): OutboxSender<MemberDelivery, MemberOutcome, Map<string, Addressed>> {
  const { db, clock, logger, adminContacts } = context;
  const guard = createFaultGuard(clock);
  return createOutboxSender<'member_deliveries', MemberOutcome, Map<string, Addressed>>(context, {
    outbox: memberOutbox,
    // A message of an alert that has closed is cancelled, also when it has expired.
    decidesWhenExpired: true,
    prepare: (rows) => addressBatch(db, rows, clock.now()),
    send: (row, addressed) => send(context, guard, row, addressed.get(row.id) ?? { kind: 'expired' }),
    adjust: adjustMemberAlerts,
    async follow(trx, attempts, now) {
      const { notices, faults, suspectRefusals } = await followMemberAlerts(trx, attempts, {
        adminContacts,
        now,
      });
      return () => {
        for (const { host, why, reason } of faults)
          logger.warn({ host, why, reason }, 'a push service refuses most browsers: none of them is ended');
        if (suspectRefusals > 0)
          logger.warn(
            { addresses: suspectRefusals },
            'most addresses of an alert were refused alike: none is marked as bounced',
          );
        if (notices.length > 0) context.onNotices?.(notices);
      };
    },
    describe: ({ id, channel }) => ({ deliveryId: id, channel }),
    log: {
      ok: 'sent to a member',
      cancelled: 'no longer needed',
      failed: 'a member alert was not sent',
      isDebug: true,
    },
  });
}
