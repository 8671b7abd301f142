import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE } from '#shared/clock';
import { inTransaction } from '#shared/database/transaction';
import { addMail } from '#shared/mail/mails';
import type { MailFault } from '../../../sandbox/mail/mail-fault';
import { openRoom } from '../alerts/delivery-fixture';
import { addMember } from '../member-alerts/crowd';
import { createMonitorFixture, eventually, type MonitorFixture } from '../monitor/monitor-fixture';

const MAILS = 40;
const TABLES = ['mails', 'member_deliveries'] as const;

let fixture: MonitorFixture;
beforeEach(async () => {
  fixture = await createMonitorFixture({
    environment: ({ smtpUrl }) => ({ SMTP_URL: smtpUrl }),
    webhooks: ['instant'],
  });
});
afterEach(() => fixture.cleanup());

async function addNotices(count: number): Promise<void> {
  const now = fixture.clock.now();
  await inTransaction(fixture.db, async (trx) => {
    for (let number = 0; number < count; number += 1)
      await addMail(
        trx,
        { to: `reader-${number}@example.test`, template: 'already_registered', expiresAt: now + HOUR },
        now,
      );
  });
}

/** Every row of both outboxes of mails. */
async function readRows() {
  const rows = await Promise.all(
    TABLES.map((table) =>
      fixture.db.selectFrom(table).select(['status', 'attempts', 'uncertain', 'last_error']).execute(),
    ),
  );
  return rows.flat();
}

const receivers = () => fixture.sandbox.mails.receipts().map(({ to }) => to);

describe('a daemon that stops while mails go out', { timeout: 5 * MINUTE }, () => {
  it('begins nothing more, gives back what it has not begun, and mails nobody twice', async () => {
    for (let number = 0; number < MAILS; number += 1)
      await addMember(fixture, `member-${number}`, { browsers: 0 });
    await addNotices(MAILS);
    fixture.sandbox.mails.setFaults([{ delayMs: 500, persistent: true }]);
    const daemon = await fixture.startDaemon();
    await openRoom(fixture);
    await eventually(() => expect(receivers().length).toBeGreaterThan(5));
    const stopping = daemon.stop();
    const before = await readRows();
    await stopping;
    const after = await readRows();
    const unbegun = after.filter(({ status }) => status !== 'sent');
    expect(unbegun.length).toBeGreaterThan(MAILS / 2);
    for (const row of unbegun) expect(row).toMatchObject({ status: 'pending', attempts: 0, uncertain: 0 });
    // What had begun ended, and nothing else did.
    const begun = before.filter(({ status }) => status !== 'pending').length;
    expect(receivers().length).toBeLessThanOrEqual(begun);

    fixture.sandbox.mails.setFaults([]);
    await fixture.startDaemon();
    await eventually(async () =>
      expect((await readRows()).every(({ status }) => status === 'sent')).toBe(true),
    );
    expect(new Set(receivers()).size).toBe(receivers().length);
    expect(receivers()).toHaveLength(2 * MAILS);
  });

  it.each<[string, MailFault, 0 | 1]>([
    ['greets nobody', { at: 'connection', delayMs: HOUR, persistent: true }, 0],
    ['is silent at the sender', { at: 'sender', delayMs: HOUR, persistent: true }, 0],
    ['is silent at the recipient', { at: 'recipient', delayMs: HOUR, persistent: true }, 0],
    ['is silent after the final dot', { delayMs: HOUR, persistent: true }, 1],
  ])('ends in time when the mail server %s', async (_title, fault, uncertain) => {
    await addMember(fixture, 'member', { browsers: 0 });
    await addNotices(1);
    fixture.sandbox.mails.setFaults([fault]);
    const daemon = await fixture.startDaemon({ sendsMayFinishMs: 100 });
    await openRoom(fixture);
    await eventually(async () => {
      const statuses = (await readRows()).map(({ status }) => status);
      expect(statuses).toEqual(['sending', 'sending']);
    });
    if (uncertain === 1) await eventually(() => expect(fixture.sandbox.mails.waiting()).toBe(2));
    await daemon.stop();
    const waits = { status: 'pending', uncertain };
    const rows = await readRows();
    expect(rows).toMatchObject([waits, waits]);
    // The stop ended the attempts, and waited until that was stored; without a stop they would end after a minute.
    for (const { attempts, last_error: reason } of rows)
      if (attempts > 0) expect(reason).toMatch(/ before we stopped$/);
    // A mail that was claimed and not begun when the signal came is given back without an attempt.
    expect(Math.max(...rows.map(({ attempts }) => attempts))).toBe(1);
  });
});
