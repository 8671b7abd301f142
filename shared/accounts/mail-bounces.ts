import { writeAudit, type Actor } from '../audit/write-audit';
import { toIso, type Clock } from '../clock';
import type { Database, Transaction } from '../database/schema';
import { inTransaction } from '../database/transaction';

/**
 * Records that the mail server permanently refused the address of an account. The account gets no alert mails until a
 * test mail is accepted or the address is confirmed again. `now`: epoch ms.
 */
export async function recordBounce(
  trx: Transaction,
  { userId, reason, now }: { userId: string; reason: string; now: number },
): Promise<void> {
  await trx
    .updateTable('users')
    .set({ mail_bounced_at: toIso(now), mail_bounce_reason: reason })
    .where('id', '=', userId)
    .execute();
}

const cleared = (now: number) => ({
  mail_bounced_at: null,
  mail_bounce_reason: null,
  mail_bounce_cleared_at: toIso(now),
});

/** Records that a mail server accepted a mail to the address, or that its owner confirmed it. `now`: epoch ms. */
export async function clearBounce(
  db: Database,
  { userId, now }: { userId: string; now: number },
): Promise<void> {
  await db.updateTable('users').set(cleared(now)).where('id', '=', userId).execute();
}

/** An account whose address the mail server refuses. */
export interface Bounce {
  email: string;
  /** ISO. */
  since: string;
  reason: string;
}

/** The accounts whose addresses bounced, newest first. */
export async function listBounces(db: Database): Promise<Bounce[]> {
  const rows = await db
    .selectFrom('users')
    .select(['email', 'mail_bounced_at', 'mail_bounce_reason'])
    .where('mail_bounced_at', 'is not', null)
    .orderBy('mail_bounced_at', 'desc')
    .orderBy('email')
    .execute();
  return rows.map(({ email, mail_bounced_at, mail_bounce_reason }) => ({
    email,
    since: mail_bounced_at ?? '',
    reason: mail_bounce_reason ?? '',
  }));
}

/** Clears the bounces of an account, or of all. Returns the addresses cleared. Writes the audit log. */
export function clearBounces(
  db: Database,
  { userId, actor, clock }: { userId?: string; actor: Actor; clock: Clock },
): Promise<string[]> {
  return inTransaction(db, async (trx) => {
    const now = clock.now();
    let clearing = trx.updateTable('users').set(cleared(now)).where('mail_bounced_at', 'is not', null);
    if (userId !== undefined) clearing = clearing.where('id', '=', userId);
    const accounts = await clearing.returning(['id', 'email']).execute();
    if (accounts.length > 0)
      await writeAudit(
        trx,
        {
          actor,
          action: 'mail_bounces.clear',
          ...(userId === undefined ? {} : { subject: userId }),
          details: { count: accounts.length },
        },
        now,
      );
    return accounts.map(({ email }) => email).sort();
  });
}
