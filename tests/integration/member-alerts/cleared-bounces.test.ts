import { afterEach, beforeEach, expect, it } from 'vitest';
import { clearBounce, clearBounces } from '#shared/accounts/mail-bounces';
import { ADDRESS_REFUSED } from '#shared/channels/email/mailer.server';
import { HOUR, toIso } from '#shared/clock';
import { inTransaction } from '#shared/database/transaction';
import { judgeBounces } from '#shared/member-alerts/judge-bounces';
import { memberOutbox } from '#shared/member-alerts/member-outbox';
import type { Sandbox } from '../../../sandbox/start-sandbox';
import { createTestDatabase, type TestDatabase } from '../database';
import { addAlert } from '../monitor/status-data';
import { addMember } from './crowd';

const START = Date.parse('2027-01-15T12:00:00Z');

let test: TestDatabase;
let alertId: string;
beforeEach(async () => {
  test = await createTestDatabase();
  await addAlert(test.db, { openedAt: START, lastedMs: null });
  alertId = (await test.db.selectFrom('alerts').select('id').executeTakeFirstOrThrow()).id;
});
afterEach(() => test.cleanup());

/** Adds a member whose mail about the alert ended so at `at`. Returns the account's id. */
async function mailed(name: string, status: 'sent' | 'dead', at: number): Promise<string> {
  const userId = await addMember({ db: test.db, sandbox: {} as Sandbox }, name, { browsers: 0 });
  await test.db
    .insertInto('member_deliveries')
    .values({
      ...memberOutbox.newRow({ dueAt: at, expiresAt: at + HOUR, owner: null, now: at }),
      ...{ alert_id: alertId, user_id: userId, target: userId, channel: 'email', status },
      ...{ updated_at: toIso(at), last_error: status === 'dead' ? `${ADDRESS_REFUSED} 550` : null },
    })
    .execute();
  return userId;
}
const judge = (now: number) => inTransaction(test.db, (trx) => judgeBounces(trx, alertId, now));
const bounced = async () =>
  (
    await test.db.selectFrom('users').select('username').where('mail_bounced_at', 'is not', null).execute()
  ).map(({ username }) => username);

// An alert can be open for weeks: a variant comes back, or quiet hours end, and its mails are judged again.
it.each(['a test mail', 'an admin'] as const)(
  'an address that %s has cleared bounces by another refusal alone',
  async (by) => {
    const userId = await mailed('refused', 'dead', START);
    await mailed('other', 'sent', START);
    await mailed('third', 'sent', START);
    await judge(START);
    expect(await bounced()).toEqual(['refused']);
    const clock = { now: () => START + HOUR };
    if (by === 'an admin') await clearBounces(test.db, { actor: { userId: null }, clock });
    else await clearBounce(test.db, { userId, now: clock.now() });

    await mailed('late', 'sent', START + 2 * HOUR);
    await mailed('late-refused', 'dead', START + 2 * HOUR);
    await judge(START + 2 * HOUR);
    expect(await bounced()).toEqual(['late-refused']);

    await test.db
      .updateTable('member_deliveries')
      .set({ due_at: toIso(START + 3 * HOUR) })
      .where('user_id', '=', userId)
      .execute();
    await judge(START + 3 * HOUR);
    expect((await bounced()).sort()).toEqual(['late-refused', 'refused']);
  },
);
