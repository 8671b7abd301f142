import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import { toIso, type Clock } from '../clock';
import type { Schema } from '../database/schema';
import type { MailsTable } from '../database/tables/mails';
import { inTransaction } from '../database/transaction';
import { newId } from '../ids';
import type { DueDelivery } from '../queues/catalogue';
import type { Queues } from '../queues/connection.server';
import { enqueueMails } from '../queues/enqueue';
import { MAIL_CLAIM_LASTS_MS } from './mail-timing';

export type QueuedMail = Selectable<MailsTable>;

export interface NewMail {
  to: string;
  template: MailsTable['template'];
  code?: { verificationCodeId: string; sealed: string };
  /** Epoch ms after which the mail is of no use. */
  expiresAt: number;
}

const MOST_AT_ONCE = 1_000;

/** Puts a mail into the outbox, in the transaction of the change it tells of. Hand the result to `MailOutbox.wake`. */
export async function addMail(
  trx: Transaction<Schema>,
  { to, template, code, expiresAt }: NewMail,
  now: number,
): Promise<DueDelivery> {
  const id = newId();
  const stamp = toIso(now);
  await trx
    .insertInto('mails')
    .values({
      id,
      recipient: to,
      template,
      verification_code_id: code?.verificationCodeId ?? null,
      sealed_code: code?.sealed ?? null,
      status: 'pending',
      due_at: stamp,
      expires_at: toIso(expiresAt),
      created_at: stamp,
      updated_at: stamp,
    })
    .execute();
  return { id, attempt: 1, dueAt: now };
}

/** Calls back the mails that have not left yet and whose codes are of no use any more. */
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

/** The way from a rule to the daemon that sends. */
export interface MailOutbox {
  /** False: mail is switched off, and whoever needs a code must hear so. */
  enabled: boolean;
  /** After the commit: wakes a worker at once. While Redis is away the sweep does, up to a second later. */
  wake(due: readonly DueDelivery[]): void;
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
    wake(due) {
      if (queues === null || !queues.isReady()) return;
      enqueueMails(queues, due, clock.now()).catch(() => undefined);
    },
  };
}

/** Takes a mail that is due, so that nobody else sends it; null when it is not due, finished or being sent. */
export async function claimMail(
  db: Kysely<Schema>,
  { id, owner, now }: { id: string; owner: string; now: number },
): Promise<QueuedMail | null> {
  const stamp = toIso(now);
  const row = await inTransaction(db, (trx) =>
    trx
      .updateTable('mails')
      .set((set) => ({
        status: 'sending' as const,
        claimed_by: owner,
        claimed_until: toIso(now + MAIL_CLAIM_LASTS_MS),
        attempts: set('attempts', '+', 1),
        updated_at: stamp,
      }))
      .where('id', '=', id)
      .where((where) =>
        where.or([
          where.and([where('status', '=', 'pending'), where('due_at', '<=', stamp)]),
          where.and([where('status', '=', 'sending'), where('claimed_until', '<', stamp)]),
        ]),
      )
      .returningAll()
      .executeTakeFirst(),
  );
  return row ?? null;
}

/** Gives back at once what dead daemons had claimed. Returns how many. */
export async function releaseMailClaims(
  db: Kysely<Schema>,
  { owners, now }: { owners: readonly string[]; now: number },
): Promise<number> {
  if (owners.length === 0) return 0;
  const result = await inTransaction(db, (trx) =>
    trx
      .updateTable('mails')
      .set({ claimed_until: toIso(now - 1) })
      .where('status', '=', 'sending')
      .where('claimed_by', 'in', [...owners])
      .executeTakeFirst(),
  );
  return Number(result.numUpdatedRows);
}

/** The ids of whatever is due and unsent, oldest first: after a crash, a Redis loss or a long outage. Only reads. */
export async function listDueMails(db: Kysely<Schema>, now: number): Promise<string[]> {
  const stamp = toIso(now);
  const rows = await db
    .selectFrom('mails')
    .select('id')
    // In the words of the partial index: with parameters SQLite would not use it.
    .where(sql<boolean>`status in ('pending', 'sending')`)
    .where((where) =>
      where.or([
        where.and([where('status', '=', 'pending'), where('due_at', '<=', stamp)]),
        where.and([where('status', '=', 'sending'), where('claimed_until', '<', stamp)]),
      ]),
    )
    .orderBy('due_at')
    .limit(MOST_AT_ONCE)
    .execute();
  return rows.map((row) => row.id);
}
