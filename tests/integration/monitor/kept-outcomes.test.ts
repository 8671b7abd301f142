import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addNotice } from '#shared/alerts/admin-notices';
import { OUTBOXES } from '#shared/outbox/outboxes';
import type { DiscordWebhooks } from '#shared/channels/discord/discord-webhook.server';
import { createDeliverySender } from '#shared/alerts/deliveries/send-delivery.server';
import type { Mailer } from '#shared/channels/email/mailer.server';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { HOUR, toIso } from '#shared/clock';
import { inTransaction } from '#shared/database/transaction';
import { createWriteRetrier } from '#shared/database/write-retrier';
import { createKeyring } from '#shared/secrets.server';
import { addMail } from '#shared/mail/mails';
import { createMailSender } from '#shared/mail/send-mail.server';
import { createTestDatabase, type TestDatabase } from '../database';
import { eventually } from './monitor-fixture';
import { setReadOnly } from '../database-faults';
import { attempt } from '../../attempt';

const APP_URL = 'https://packwatch.test';
const adminContacts = { emails: [] };
const logger = pino({ level: 'silent' });

let test: TestDatabase;
let now: number;
const clock = { now: () => now };

beforeEach(async () => {
  test = await createTestDatabase();
  now = Date.parse('2027-01-15T12:00:00.000Z');
});
afterEach(() => test.cleanup());

describe('an outcome that the database cannot store at first', () => {
  it('of a delivery is stored once the database accepts it, and the message is posted once', async () => {
    const { db } = test;
    let posts = 0;
    const answer = { kind: 'ok' as const, status: 200, messageId: '1400000000000000001', ms: 5 };
    const discord: DiscordWebhooks = {
      verify: () => Promise.resolve(answer),
      edit: () => Promise.resolve(answer),
      close: () => Promise.resolve(),
      async post() {
        posts += 1;
        await setReadOnly(test.db, true);
        return answer;
      },
    };
    const url = 'https://discord.com/api/webhooks/140000000000000001/a-token-of-some-length-0123456789';
    await db
      .insertInto('webhooks')
      .values({ watch_id: DEFAULT_WATCH_ID, audience: 'admin', sealed_url: url, updated_at: toIso(now) })
      .execute();
    const [row] = await inTransaction(db, (trx) =>
      addNotice(
        trx,
        { watchId: null, kind: 'silence_began', dedupeKey: 'a', title: 'A', body: 'B' },
        adminContacts,
        now,
      ),
    );
    const outcomes = createWriteRetrier({ onWait: () => undefined });
    const sender = createDeliverySender({
      db,
      keyring: createKeyring(['a secret of this test']),
      discord,
      mailer: null,
      clock,
      logger,
      appUrl: APP_URL,
      webhookHosts: ['discord.com'],
      adminContacts,
      owner: 'test',
      outcomes,
    });
    const delivered = attempt(sender, row?.id ?? '');
    await eventually(() => expect(outcomes.waiting()).toBe(1));
    now += 2 * OUTBOXES.alerts.claimLifetimeMs;
    await setReadOnly(test.db, false);
    await delivered;
    expect(outcomes.waiting()).toBe(0);
    expect(await attempt(sender, row?.id ?? '')).toEqual([]);
    expect(posts).toBe(1);
    expect(
      await db.selectFrom('alert_deliveries').select(['status', 'sent_at', 'attempts']).execute(),
    ).toEqual([{ status: 'sent', sent_at: toIso(now - 2 * OUTBOXES.alerts.claimLifetimeMs), attempts: 1 }]);
  });

  it('of a mail is stored once the database accepts it, and the mail is sent once', async () => {
    const { db } = test;
    let sends = 0;
    const { id } = await inTransaction(db, (trx) =>
      addMail(trx, { to: 'ann@example.org', template: 'already_registered', expiresAt: now + HOUR }, now),
    );
    const outcomes = createWriteRetrier({ onWait: () => undefined });
    const mailer: Mailer = {
      async send() {
        sends += 1;
        await setReadOnly(test.db, true);
        return { kind: 'ok' as const };
      },
      abort: () => undefined,
      close: () => undefined,
    };
    const sender = createMailSender({
      db,
      keyring: createKeyring(['a secret of the tests']),
      clock,
      logger,
      appUrl: APP_URL,
      owner: 'test',
      outcomes,
      mailers: { codes: mailer, others: mailer },
    });
    const sent = attempt(sender, id);
    await eventually(() => expect(outcomes.waiting()).toBe(1));
    await setReadOnly(test.db, false);
    await sent;
    expect(await attempt(sender, id)).toEqual([]);
    expect(sends).toBe(1);
    expect(await db.selectFrom('mails').select(['status', 'attempts']).execute()).toEqual([
      { status: 'sent', attempts: 1 },
    ]);
  });

  it('is dropped when it can never be stored', async () => {
    const outcomes = createWriteRetrier({ onWait: () => expect.unreachable() });
    await expect(outcomes.untilWritten(() => Promise.reject(new Error('a bug')))).rejects.toThrow('a bug');
    expect(outcomes.waiting()).toBe(0);
  });
});
