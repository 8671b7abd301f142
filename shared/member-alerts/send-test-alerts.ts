import type { Kysely } from 'kysely';
import type { Account } from '../accounts/account';
import { readPreferences } from '../accounts/preferences';
import { ALERT_LIFETIME_MS } from '../alerts/alert-timing';
import type { Clock } from '../clock';
import type { Schema } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import { memberOutbox } from './member-outbox';

/** How many test messages wait to be sent: to the member's address, and to devices. */
export interface TestAlerts {
  email: number;
  push: number;
}

/**
 * Adds a test message for each way in which an alert would reach the member: the address, also one that bounced, and each
 * device. The daemon sends them within about a second. Throws `Invalid` `no_alert_channel` when alerts reach the member in
 * no way, and `Unavailable` `mail_unavailable` when mail is the only way and is switched off.
 */
export function sendTestAlerts(
  db: Kysely<Schema>,
  { account, mailEnabled, clock }: { account: Account; mailEnabled: boolean; clock: Clock },
): Promise<TestAlerts> {
  return inTransaction(db, async (trx) => {
    const { alerts } = readPreferences(account.preferences);
    const devices = alerts.push
      ? await trx.selectFrom('push_subscriptions').select('id').where('user_id', '=', account.id).execute()
      : [];
    if (!alerts.email && devices.length === 0)
      throw new DomainError('Invalid', {
        code: 'no_alert_channel',
        message: alerts.push
          ? 'No device of yours is set up for notifications. Set one up, or switch on alerts by email, and save.'
          : 'Alerts are switched off. Switch on alerts by email or as notifications, save, and try again.',
      });
    if (!mailEnabled && devices.length === 0)
      throw new DomainError('Unavailable', {
        code: 'mail_unavailable',
        message: 'We cannot send email right now. Please try again later.',
      });
    const now = clock.now();
    const targets = [
      ...(alerts.email && mailEnabled ? [{ channel: 'email' as const, target: account.id }] : []),
      ...devices.map(({ id }) => ({ channel: 'push' as const, target: id })),
    ];
    const rows = targets.map((target) => ({
      ...memberOutbox.newRow({ dueAt: now, expiresAt: now + ALERT_LIFETIME_MS, owner: null, now }),
      ...target,
      alert_id: null,
      user_id: account.id,
    }));
    await trx.insertInto('member_deliveries').values(rows).execute();
    return { email: rows.length - devices.length, push: devices.length };
  });
}
