import type { Updateable } from 'kysely';
import { fromIso, toIso, type Clock } from '../clock';
import type { Database } from '../database/connection.server';
import type { MailsTable } from '../database/tables/mails';
import { inTransaction } from '../database/transaction';
import type { WriteRetrier } from '../database/write-retrier';
import type { Keyring } from '../keyring.server';
import type { Logger } from '../logger.server';
import type { DueDelivery } from '../queues/catalogue';
import { mailRetryWaitMs } from './mail-timing';
import type { Mailer } from './mailer.server';
import { claimMail, type QueuedMail } from './outbox';
import { renderMail, type MailContent } from './render-mail';

/** How one attempt ended. `cancelled`: what it says is not true any more, or its code is of no use. */
export type MailOutcome =
  | { is: 'done' }
  | { is: 'again'; reason: string }
  | { is: 'refused'; status: number | null; reason: string }
  | { is: 'expired' }
  | { is: 'cancelled' };

/** What a sender of mail needs; built once per process. */
export interface MailSenderContext {
  db: Database;
  /** `null`: mail is switched off. */
  mailer: Mailer | null;
  keyring: Keyring;
  clock: Clock;
  logger: Logger;
  appUrl: string;
  /** This process, as claims name it. */
  owner: string;
  /** Keeps the outcome of an attempt until the database takes it: a mail whose fate is known is not sent again. */
  outcomes: WriteRetrier;
  /** Awaited before a stored time is compared with now (see `ClockSteps`). */
  settleClock?: () => Promise<void>;
  /** Told of every attempt, for metrics. */
  onOutcome?: (row: QueuedMail, outcome: MailOutcome) => void;
}

async function isCodeOver({ db }: MailSenderContext, row: QueuedMail): Promise<boolean> {
  if (row.template !== 'code') return false;
  const code = await db
    .selectFrom('verification_codes')
    .select('status')
    .where('id', '=', row.verification_code_id)
    .executeTakeFirst();
  return code?.status !== 'live';
}

/** Whether an approval that the mail tells of was taken back before the mail left. */
async function isApprovalOver({ db }: MailSenderContext, row: QueuedMail): Promise<boolean> {
  if (row.template !== 'beta_approved') return false;
  const account = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', row.recipient)
    .where('beta_approved_at', 'is not', null)
    .executeTakeFirst();
  return account === undefined;
}

function contentOf({ keyring }: MailSenderContext, row: QueuedMail): MailContent | null {
  if (row.template !== 'code') return { template: row.template };
  const code = row.sealed_code === null ? null : keyring.open('mail', row.sealed_code);
  return code === null ? null : { template: 'code', code };
}

async function attempt(context: MailSenderContext, row: QueuedMail): Promise<MailOutcome> {
  if (fromIso(row.expires_at) <= context.clock.now()) return { is: 'expired' };
  if ((await isCodeOver(context, row)) || (await isApprovalOver(context, row))) return { is: 'cancelled' };
  if (context.mailer === null) return { is: 'refused', status: null, reason: 'mail is switched off' };
  const content = contentOf(context, row);
  if (content === null)
    return { is: 'refused', status: null, reason: 'the code was sealed with a secret that is gone' };
  return context.mailer.send({
    to: row.recipient,
    ...renderMail(content, context.appUrl),
    // The same for every attempt: a mailbox that has the mail already can tell.
    messageId: `<${row.id}@${new URL(context.appUrl).hostname}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
  });
}

function changeFor(
  row: QueuedMail,
  outcome: MailOutcome,
  endedAt: number,
  now: number,
): Updateable<MailsTable> {
  switch (outcome.is) {
    case 'done':
      return {
        status: 'sent',
        sent_at: toIso(endedAt),
        last_status: 250,
        last_error: null,
        sealed_code: null,
      };
    case 'cancelled':
      return { status: 'cancelled', sealed_code: null };
    case 'expired':
      return {
        status: 'dead',
        last_error: row.last_error ?? 'it was too late to be of use',
        sealed_code: null,
      };
    case 'refused':
      return { status: 'dead', last_status: outcome.status, last_error: outcome.reason, sealed_code: null };
    case 'again': {
      const dueAt = now + mailRetryWaitMs(row.attempts);
      if (dueAt >= fromIso(row.expires_at))
        return { status: 'dead', last_error: outcome.reason, sealed_code: null };
      return { status: 'pending', due_at: toIso(dueAt), last_error: outcome.reason };
    }
  }
}

/** Writes what came of an attempt that ended at `endedAt` (epoch ms); a row whose claim was lost meanwhile is left to its new owner. */
async function record(
  { db, clock }: MailSenderContext,
  row: QueuedMail,
  outcome: MailOutcome,
  endedAt: number,
): Promise<DueDelivery[]> {
  const now = clock.now();
  const after = await inTransaction(db, (trx) =>
    trx
      .updateTable('mails')
      .set({
        ...changeFor(row, outcome, endedAt, now),
        claimed_by: null,
        claimed_until: null,
        updated_at: toIso(now),
      })
      .where('id', '=', row.id)
      .where('status', '=', 'sending')
      .where('claimed_by', '=', row.claimed_by)
      .where('attempts', '=', row.attempts)
      .returningAll()
      .executeTakeFirst(),
  );
  return after?.status === 'pending'
    ? [{ id: after.id, attempt: after.attempts + 1, dueAt: fromIso(after.due_at) }]
    : [];
}

/**
 * Claims a mail if it is due and free, sends it and records what came of it. Outside faults never throw.
 * Returns the mail again when it is to be tried later.
 */
export async function sendQueuedMail(context: MailSenderContext, mailId: string): Promise<DueDelivery[]> {
  await context.settleClock?.();
  const row = await claimMail(context.db, { id: mailId, owner: context.owner, now: context.clock.now() });
  if (row === null) return [];
  const outcome = await attempt(context, row);
  const endedAt = context.clock.now();
  const log = { mailId: row.id, template: row.template, attempt: row.attempts, outcome: outcome.is };
  if (outcome.is === 'done') context.logger.info(log, 'mail sent');
  else if (outcome.is === 'cancelled') context.logger.info(log, 'mail not needed any more');
  else
    context.logger.warn(
      { ...log, reason: 'reason' in outcome ? outcome.reason : undefined },
      'mail not sent',
    );
  const due = await context.outcomes.untilWritten(() => record(context, row, outcome, endedAt));
  context.onOutcome?.(row, outcome);
  return due;
}
