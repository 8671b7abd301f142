import type { Selectable, Transaction } from 'kysely';
import { toIso, DAY, HOUR, MINUTE, SECOND, type Clock } from '../clock';
import type { Schema } from '../database/schema';
import type { MailsTable } from '../database/tables/mails';
import { createOutbox, toDue } from '../outbox/outbox';
import type { DueDelivery } from '../queues/catalogue';
import type { Queues } from '../queues/connection.server';
import { enqueueDue } from '../queues/enqueue';
import { exponentialBackoffMs } from '../backoff';

/** A notice is worth trying for this long; a code for as long as it can be used. */
export const NOTICE_MAIL_LASTS_MS = HOUR;
/** The news that beta access is approved is of use for longer than a mail server is usually away. */
export const BETA_MAIL_LASTS_MS = DAY;
/** Longer than one whole delivery to the mail server: a claim that outlives this belongs to a sender that died. */
export const MAIL_CLAIM_LASTS_MS = 2 * MINUTE;

const FIRST_WAIT_MS = 2 * SECOND;
const LONGEST_WAIT_MS = 2 * MINUTE;

/** 2, 4, 8 … 120 s after the 1st, 2nd, 3rd … failed attempt, spread by up to a fifth either way. */
export function mailBackoffMs(attempt: number, random: () => number = Math.random): number {
  return exponentialBackoffMs({ attempt, firstMs: FIRST_WAIT_MS, longestMs: LONGEST_WAIT_MS, random });
}

export type QueuedMail = Selectable<MailsTable>;

/** The outbox of mails to people. */
export const mailOutbox = createOutbox('mails', {
  unfinished: ['pending', 'sending'],
  claimLastsMs: MAIL_CLAIM_LASTS_MS,
});

export interface NewMail {
  to: string;
  template: MailsTable['template'];
  code?: { verificationCodeId: string; sealed: string };
  /** Epoch ms after which the mail is of no use. */
  expiresAt: number;
}

/** Writes a mail into the outbox, in the transaction of the change that it reports. `MailOutbox.notifyQueue` takes the result. */
export async function addMail(
  trx: Transaction<Schema>,
  { to, template, code, expiresAt }: NewMail,
  now: number,
): Promise<DueDelivery> {
  const row = mailOutbox.newRow({ dueAt: now, expiresAt, owner: null, now });
  await trx
    .insertInto('mails')
    .values({
      ...row,
      recipient: to,
      template,
      verification_code_id: code?.verificationCodeId ?? null,
      sealed_code: code?.sealed ?? null,
    })
    .execute();
  return toDue(row);
}

/** Cancels the mails that are not sent yet and whose codes cannot be used any more. */
export async function cancelCodeMails(
  trx: Transaction<Schema>,
  verificationCodeIds: readonly string[],
  now: number,
): Promise<void> {
  if (verificationCodeIds.length === 0) return;
  await trx
    .updateTable('mails')
    .set({ status: 'cancelled', sealed_code: null, updated_at: toIso(now) })
    .where('verification_code_id', 'in', [...verificationCodeIds])
    .where('status', '=', 'pending')
    .execute();
}

/** How a rule reaches the daemon that sends. */
export interface MailOutbox {
  /** False: mail is switched off, and no code can be sent. */
  enabled: boolean;
  /** After the commit: adds the job that sends the mail. While Redis is away the daemon's sweep sends it a second later. */
  notifyQueue(due: readonly DueDelivery[]): void;
}

/** `queues`: null when this process has no Redis. */
export function createMailOutbox({
  enabled,
  queues,
  clock,
}: {
  enabled: boolean;
  queues: Queues | null;
  clock: Clock;
}): MailOutbox {
  return {
    enabled,
    notifyQueue(due) {
      if (queues === null || !queues.isReady()) return;
      enqueueDue(queues, 'mail', due, clock.now()).catch(() => undefined);
    },
  };
}
