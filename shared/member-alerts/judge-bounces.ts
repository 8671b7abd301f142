import type { Transaction } from 'kysely';
import { toIso } from '../clock';
import type { Schema } from '../database/schema';
import { ADDRESS_REFUSED } from '../channels/email/mailer.server';

/** Fewer addresses that were refused alike may all be wrong. */
const MIN_ALIKE = 2;

/** Whether an alert has mails with one of these statuses. */
async function hasMails(
  trx: Transaction<Schema>,
  alertId: string,
  statuses: readonly ('pending' | 'sending' | 'dead')[],
): Promise<boolean> {
  const found = await trx
    .selectFrom('member_deliveries')
    .select('id')
    .where('alert_id', '=', alertId)
    .where('channel', '=', 'email')
    .where('status', 'in', statuses)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/**
 * Records the bounces of an alert once all of its mails have ended; safe to repeat. A refusal that most addresses got alike
 * is not about the addresses, whatever it says: it bounces none. Returns how many addresses got such a refusal.
 */
export async function judgeBounces(trx: Transaction<Schema>, alertId: string, now: number): Promise<number> {
  if (!(await hasMails(trx, alertId, ['dead']))) return 0;
  if (await hasMails(trx, alertId, ['pending', 'sending'])) return 0;
  const ofAlert = trx
    .selectFrom('member_deliveries')
    .where('alert_id', '=', alertId)
    .where('channel', '=', 'email');
  const counts = await ofAlert
    .select((select) => ['status', 'last_error', select.fn.countAll<number>().as('count')])
    .where('status', 'in', ['sent', 'dead'])
    .groupBy(['status', 'last_error'])
    .execute();
  const total = counts.reduce((sum, { count }) => sum + Number(count), 0);
  let suspect = 0;
  for (const { status, last_error: reason, count } of counts) {
    if (status !== 'dead' || reason === null || !reason.startsWith(ADDRESS_REFUSED)) continue;
    const refused = ofAlert.select('user_id').where('status', '=', 'dead').where('last_error', '=', reason);
    if (Number(count) < MIN_ALIKE || Number(count) <= total / 2) {
      await trx
        .updateTable('users')
        .set({ mail_bounced_at: toIso(now), mail_bounce_reason: reason })
        .where('mail_bounced_at', 'is', null)
        // An alert may be open for weeks: its refusal was judged before the address was cleared.
        .where(({ eb, ref, fn, val }) =>
          eb(
            'id',
            'in',
            refused.where('due_at', '>', fn.coalesce(ref('users.mail_bounce_cleared_at'), val(''))),
          ),
        )
        .execute();
      continue;
    }
    suspect += Number(count);
    // Marked when this refusal was still a rare one.
    await trx
      .updateTable('users')
      .set({ mail_bounced_at: null, mail_bounce_reason: null })
      .where('id', 'in', refused)
      .where('mail_bounce_reason', '=', reason)
      .where('mail_bounced_at', '>=', (alert) =>
        alert.selectFrom('alerts').select('opened_at').where('id', '=', alertId),
      )
      .execute();
  }
  return suspect;
}
