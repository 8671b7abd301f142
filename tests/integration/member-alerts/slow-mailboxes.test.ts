import { afterEach, beforeEach, expect, it } from 'vitest';
import { fromIso, MINUTE, SECOND } from '#shared/clock';
import { openRoom } from '../alerts/delivery-fixture';
import { createMonitorFixture, eventually, type MonitorFixture } from '../monitor/monitor-fixture';
import { addMember } from './crowd';

let fixture: MonitorFixture;
beforeEach(async () => {
  fixture = await createMonitorFixture({
    environment: ({ smtpUrl }) => ({ SMTP_URL: smtpUrl }),
  });
});
afterEach(() => fixture.cleanup());

it('recipients for whom the mail server takes a minute do not delay those of other domains', async () => {
  const { db, sandbox } = fixture;
  const byMail = { alerts: {}, browsers: 0 };
  const well: string[] = [];
  for (let number = 0; number < 40; number += 1) {
    const id = await addMember(fixture, `slow-${number}`, byMail);
    await db
      .updateTable('users')
      .set({ email: `slow-${number}@slow.test` })
      .where('id', '=', id)
      .execute();
    if (number % 4 > 0) continue;
    await addMember(fixture, `well-${number}`, byMail);
    well.push(`well-${number}@example.test`);
  }
  sandbox.mails.setFaults([{ to: '*@slow.test', at: 'recipient', delayMs: MINUTE, persistent: true }]);
  await fixture.startDaemon();
  await openRoom(fixture);
  const reached = () => sandbox.mails.receipts().filter(({ to }) => well.includes(to));
  await eventually(() => expect(reached()).toHaveLength(well.length));
  const { opened_at } = await db.selectFrom('alerts').select('opened_at').executeTakeFirstOrThrow();
  expect(Math.max(...reached().map(({ receivedAt }) => receivedAt)) - fromIso(opened_at)).toBeLessThan(
    50 * SECOND,
  );
});
