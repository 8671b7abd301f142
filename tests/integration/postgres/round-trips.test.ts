import { readFileSync } from 'node:fs';
import pg from 'pg';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Delivery } from '#shared/alerts/deliveries/deliveries';
import { createDeliverySender } from '#shared/alerts/deliveries/send-delivery.server';
import { sealWebhook } from '#shared/alerts/webhooks/webhook-seal.server';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { systemClock, toIso } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import { createWriteRetrier } from '#shared/database/write-retrier';
import { newId } from '#shared/ids';
import { createKeyring } from '#shared/secrets.server';
import { ROOM_PAGE, shopPage } from '../../bench/pages';
import { giveTokens } from '../../paid-accounts';
import { callApi, createApiFixture } from '../api/api-fixture';
import { createTestDatabase } from '../database';
import { checkOnce, fetched } from '../monitor/check-once';

/** Each query of the driver waits for its answer: one round trip. But with a scope, the first query is sent behind the beginning. */
let queries: { mock: { calls: unknown[][] } };
beforeEach(() => {
  queries = vi.spyOn(pg.Client.prototype, 'query');
});
afterEach(() => vi.restoreAllMocks());

const roundTrips = (): number =>
  queries.mock.calls.filter(([query]) => !JSON.stringify(query).includes('pg_advisory_xact_lock_shared'))
    .length;

/** The number before `r` in the guide's table of round trips. */
function documented(line: string): number {
  const rows = readFileSync('docs/scaling.md', 'utf8').split('\n');
  const row = rows.find((text) => text.startsWith(`| ${line} | `)) ?? '';
  return Number(/ \| (\d+) r /.exec(row)?.[1]);
}

/** Checks a shop that shows `page`. Counts from the shop's answer. Returns the deliveries that the check claimed. */
async function check(db: Database, page: string): Promise<{ untilRecorded: number; deliveries: Delivery[] }> {
  let answeredAt = 0;
  let recordedAt = 0;
  let deliveries: Delivery[] = [];
  await checkOnce(db, page, {
    sender: 'test',
    fetcher: {
      fetch() {
        answeredAt = roundTrips();
        return Promise.resolve(fetched(page));
      },
      close: () => Promise.resolve(),
    },
    onRecorded(recorded) {
      recordedAt = roundTrips();
      deliveries = recorded.deliveries;
    },
  });
  return { untilRecorded: recordedAt - answeredAt, deliveries };
}

it('checks and alerts take as many round trips as the guide says', async () => {
  const { db, cleanup } = await createTestDatabase();
  const keyring = createKeyring(['a secret of the tests, long enough']);
  const url = 'https://discord.com/api/webhooks/140000000000000001/a-token-of-some-length-0123456789';
  await db
    .insertInto('webhooks')
    .values({
      watch_id: DEFAULT_WATCH_ID,
      audience: 'instant',
      sealed_url: sealWebhook(keyring, url),
      updated_at: toIso(systemClock.now()),
    })
    .execute();
  await check(db, shopPage(15));
  const open = await check(db, shopPage(15));
  expect(open.untilRecorded).toBe(documented('a check without a change, after its answer'));

  const room = await check(db, ROOM_PAGE);
  const committedAt = roundTrips();
  let postedAt = 0;
  const answer = { kind: 'ok' as const, status: 200, messageId: '1400000000000000001', ms: 5 };
  const sender = createDeliverySender({
    db,
    keyring,
    discord: {
      verify: () => Promise.resolve(answer),
      edit: () => Promise.resolve(answer),
      close: () => Promise.resolve(),
      post() {
        postedAt = roundTrips();
        return Promise.resolve(answer);
      },
    },
    mailer: null,
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    appUrl: 'https://packwatch.test',
    webhookHosts: ['discord.com'],
    adminContacts: { emails: [] },
    owner: 'test',
    outcomes: createWriteRetrier({ onWait: () => undefined }),
  });
  const [delivery] = room.deliveries;
  if (delivery === undefined) throw new Error('the check opened no alert');
  await sender.begin(delivery, undefined);
  expect(room.untilRecorded + postedAt - committedAt).toBe(
    documented("from the shop's answer to the request at Discord"),
  );
  await cleanup();
});

it('a consumption takes as many round trips as the guide says', async () => {
  const fixture = await createApiFixture();
  const account = await fixture.account('pro');
  await giveTokens(fixture.db, account.id, 10);
  const token = await fixture.signIn(account);
  const before = roundTrips();
  const { status } = await callApi('POST', '/api/tokens/consume', { token, body: { taskId: newId() } });
  expect(status).toBe(200);
  expect(roundTrips() - before).toBe(documented('a consumption of a token'));
  await fixture.cleanup();
});
