import type { Kysely, Transaction } from 'kysely';
import { toIso } from '../clock';
import type { Schema } from '../database/schema';

/**
 * Records that the mail server refused the address of an account for good. The account gets no alert mails until a test
 * mail is accepted or the address is confirmed again. `now`: epoch ms.
 */
export async function recordBounce(
  trx: Transaction<Schema>,
  { userId, reason, now }: { userId: string; reason: string; now: number },
): Promise<void> {
  await trx
    .updateTable('users')
    .set({ mail_bounced_at: toIso(now), mail_bounce_reason: reason })
    .where('id', '=', userId)
    .execute();
}

/** Records that a mail server accepted a mail to the address, or that its owner confirmed it. */
export async function clearBounce(db: Kysely<Schema>, { userId }: { userId: string }): Promise<void> {
  await db
    .updateTable('users')
    .set({ mail_bounced_at: null, mail_bounce_reason: null })
    .where('id', '=', userId)
    .where('mail_bounced_at', 'is not', null)
    .execute();
}
