import type { Viewer, Account } from '../accounts/account';
import { type WriteContext, inTransaction } from '../database/transaction';
import { operation } from '../operation';
import type { Kysely } from 'kysely';
import { readPreferences } from '../accounts/preferences';
import { ALERT_LIFETIME_MS } from '../alerts/alert-timing';
import { toIso, type Clock } from '../clock';
import type { Schema } from '../database/schema';
import { DomainError } from '../errors';
import { memberOutbox, PUSH_TEST_LIFETIME_MS } from './member-outbox';

/** How many test messages wait to be sent: to the member's address, and to devices. */
interface TestAlerts {
  email: number;
  push: number;
}

/**
 * Adds a test message for each way in which an alert would reach the member: the address, also one that bounced, and each
 * device. The daemon sends them within about a second, one by push not later than within a minute; tests by push that
 * still wait are replaced. Throws `Invalid` `no_alert_channel` when alerts reach the member in
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
          ? 'None of your devices is set up for notifications. Set one up, or switch on alerts by email, and save.'
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
    // So that one account has no more tests waiting than it has devices.
    await trx
      .updateTable('member_deliveries')
      .set({ status: 'cancelled', last_error: 'a newer test replaced it', updated_at: toIso(now) })
      .where('user_id', '=', account.id)
      .where('alert_id', 'is', null)
      .where('announcement_id', 'is', null)
      .where('channel', '=', 'push')
      .where('status', '=', 'pending')
      .execute();
    const rows = targets.map((target) => ({
      ...memberOutbox.newRow({
        dueAt: now,
        expiresAt: now + (target.channel === 'push' ? PUSH_TEST_LIFETIME_MS : ALERT_LIFETIME_MS),
        owner: null,
        now,
      }),
      ...target,
      alert_id: null,
      user_id: account.id,
    }));
    await trx.insertInto('member_deliveries').values(rows).execute();
    return { email: rows.length - devices.length, push: devices.length };
  });
}

interface Context extends WriteContext {
  mail: { enabled: boolean };
}

export const testOperations = {
  send: operation({
    access: 'member',
    limit: 'alertTest',
    async run({ db, mail, clock }: Context, { account }: Viewer) {
      const sent = await sendTestAlerts(db, { account, mailEnabled: mail.enabled, clock });
      return { sent, address: account.email };
    },
    sentence({ sent: { email, push }, address }) {
      const devices = push === 1 ? 'one device' : `${push} devices`;
      const targets = [...(email > 0 ? [address] : []), ...(push > 0 ? [devices] : [])];
      return `A test is on its way to ${targets.join(' and ')}. It arrives within a minute.`;
    },
  }),
};
