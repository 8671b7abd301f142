import { unsubscribeUrl } from '../accounts/unsubscribe';
import { SECOND, type Clock } from '../clock';
import { renderAlertMail } from '../mail/alert-mail';
import { messageIdOf, type Mailer } from '../channels/email/mailer.server';
import type { PushClient } from '../channels/push/push-client.server';
import type { Keyring } from '../secrets.server';
import type { MemberDelivery } from './member-outbox';
import { renderPush } from './render-push';
import type { Addressed, MemberMessage } from './read-batch';

/**
 * How one attempt ended. `uncertain`: the message was sent and no answer came. `gone`: the push service ended the
 * subscription. `refused`: it refuses our key for it. `bounced`: the mail server refuses the address.
 */
export type MemberOutcome =
  | { is: 'ok'; status: number }
  | { is: 'retry'; status: number | null; reason: string; waitMs: number | null }
  | { is: 'uncertain'; status: number | null; reason: string }
  | { is: 'rejected'; status: number | null; reason: string; bounced: boolean }
  | { is: 'gone' | 'refused'; status: number; reason: string }
  | { is: 'cancelled'; reason: string; closed?: true }
  | { is: 'expired' };

export interface MemberSenderContext {
  clock: Clock;
  /** Makes the unsubscribe links. */
  keyring: Keyring;
  /** `null`: mail is switched off. */
  mailer: Mailer | null;
  push: PushClient;
  appUrl: string;
}

/** A member waits for the result of a test, and it must not occupy its slot for long. */
const TEST_TIMEOUT_MS = 5 * SECOND;

async function sendMail(
  { mailer, keyring, appUrl, clock }: MemberSenderContext,
  { id }: MemberDelivery,
  { to, userId, message }: { to: string; userId: string; message: MemberMessage },
): Promise<MemberOutcome> {
  if (mailer === null)
    return { is: 'rejected', status: null, reason: 'mail is switched off', bounced: false };
  const answer = await mailer.send({
    to,
    ...renderAlertMail({
      kind: message.kind,
      watch: message.watch,
      openedAt: message.openedAt,
      link: message.targetUrl ?? `${appUrl}/account`,
      appUrl,
      unsubscribeUrl: unsubscribeUrl({ keyring, appUrl }, { userId, now: clock.now() }),
    }),
    messageId: messageIdOf(id, appUrl),
  });
  switch (answer.is) {
    case 'ok':
      return { is: 'ok', status: 250 };
    case 'retry':
      return { ...answer, status: null, waitMs: null };
    case 'uncertain':
      return { ...answer, status: null };
    case 'rejected':
      return answer;
  }
}

/** Makes one attempt to send a claimed row. Never throws for faults of outside services. */
export async function sendMemberAlert(
  context: MemberSenderContext,
  row: MemberDelivery,
  addressed: Addressed,
): Promise<MemberOutcome> {
  switch (addressed.is) {
    case 'cancelled':
    case 'expired':
      return addressed;
    case 'email':
      return sendMail(context, row, addressed);
    case 'push': {
      const { to, message } = addressed;
      const answer = await context.push.send(to, {
        payload: renderPush(message, context.appUrl),
        ttlSeconds: Math.max(0, Math.floor((message.expiresAt - context.clock.now()) / SECOND)),
        topic: topicOf(row),
        ...(row.alert_id === null && { timeoutMs: TEST_TIMEOUT_MS }),
      });
      return answer.is === 'rejected' ? { ...answer, bounced: false } : answer;
    }
  }
}

/** Equal for every message about an alert, so that a repeat replaces one that waits for its browser. */
function topicOf({ alert_id, id }: MemberDelivery): string {
  return (alert_id ?? id).replaceAll('-', '').slice(0, 32);
}
