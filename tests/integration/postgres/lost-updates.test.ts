import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AccountsContext } from '#shared/accounts/accounts-context';
import { updatePreferences } from '#shared/accounts/change-account';
import { resendCode } from '#shared/accounts/codes/resend-code';
import { registerWithPassword } from '#shared/accounts/passwords/register-with-password';
import { readPreferences } from '#shared/accounts/preferences';
import {
  createDeliverySender,
  type DeliverySenderContext,
} from '#shared/alerts/deliveries/send-delivery.server';
import { openWebhook, sealWebhook } from '#shared/alerts/webhooks/webhook-seal.server';
import { sealStoredWebhooks } from '#shared/alerts/webhooks/webhooks';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { ensurePushKeys } from '#shared/channels/push/push-keys.server';
import { HOUR, MINUTE, systemClock as clock, toIso } from '#shared/clock';
import { openDatabase, type Database } from '#shared/database/connection.server';
import { inTransaction } from '#shared/database/transaction';
import { createWriteRetrier } from '#shared/database/write-retrier';
import { newId } from '#shared/ids';
import { fanOutStep } from '#shared/member-alerts/fan-out';
import { takeCheckLease } from '#shared/monitor/checks/check-lease';
import type { FinishedCheck } from '#shared/monitor/checks/recording/check-row';
import { recordCheck } from '#shared/monitor/checks/recording/record-check';
import type { Judgement } from '#shared/monitor/checks/verdict';
import { startMonitoring, stopMonitoring } from '#shared/monitor/start-stop';
import { watchMonitor } from '#shared/monitor/watchdog';
import type { WatchContext } from '#shared/monitor/watches/add-watch.server';
import { changeWatch } from '#shared/monitor/watches/change-watch.server';
import { removeWatch } from '#shared/monitor/watches/remove-watch.server';
import { readWatch } from '#shared/monitor/watches/watches';
import { createArticle, updateArticle } from '#shared/news/save-article.server';
import { OUTBOXES } from '#shared/outbox/outboxes';
import { withCustomerLease } from '#shared/payments/customer-lease.server';
import { addPushSubscription } from '#shared/push/push-subscriptions';
import { createRelease } from '#shared/releases/save-release.server';
import { createKeyring } from '#shared/secrets.server';
import { listRetailers, readHeroSlides } from '#shared/settings/read-settings';
import { addRetailer, changeHeroSlides } from '#shared/settings/write-settings';
import { addSubscriptionPackage } from '#shared/subscriptions/packages/subscription-packages';
import { consumeTokens } from '#shared/tokens/consume-tokens';
import { issueProxy } from '#shared/tokens/proxy-config.server';
import { readBalance } from '#shared/tokens/token-ledger';
import { addTokenPackage } from '#shared/tokens/token-packages';
import { createCheapPasswordHasher } from '../../cheap-passwords';
import { addBetaMember, giveTokens, subscribe } from '../../paid-accounts';
import { finishedCheck, storeCheck } from '../alerts/finished-check';
import { createTestDatabase, type TestDatabase } from '../database';
import { addHeartbeat, addWatch } from '../monitor/status-data';

/**
 * Rules that read and then write, called at once by two processes that share a PostgreSQL database: each row loses an update
 * at read committed without locks. `PACKWATCH_ROUNDS=50` calls each fifty times.
 */
const ROUNDS = Number(process.env.PACKWATCH_ROUNDS ?? 3);

const actor = { userId: null };
const keyring = createKeyring(['a secret of the tests, long enough']);
const adminContacts = { emails: [] };
const ROOM: Judgement = {
  verdict: 'waiting_room',
  strength: 'strong',
  unknownReason: null,
  reason: 'The page is a waiting room.',
  signs: [],
};

let test: TestDatabase;
/** The connections of two processes. */
let one: Database;
let other: Database;

beforeAll(async () => {
  test = await createTestDatabase();
  one = test.db;
  other = openDatabase(test.config);
  await one
    .insertInto('webhooks')
    .values({
      watch_id: DEFAULT_WATCH_ID,
      audience: 'instant',
      sealed_url: sealWebhook(keyring, 'https://discord.test/api/webhooks/1/a'),
      state: 'trusted',
      updated_at: toIso(clock.now()),
    })
    .execute();
});
afterAll(async () => {
  await other.destroy();
  await test.cleanup();
});

/** Calls both at once, in either order. Returns how they ended. */
async function race<A, B>(
  first: () => Promise<A>,
  second: () => Promise<B>,
): Promise<[PromiseSettledResult<A>, PromiseSettledResult<B>]> {
  if (Math.random() < 0.5) return Promise.allSettled([first(), second()]);
  const [b, a] = await Promise.allSettled([second(), first()]);
  return [a, b];
}

/** The codes with which callers were refused; fails for errors that are no refusals. */
function refusals(results: readonly PromiseSettledResult<unknown>[]): string[] {
  return results.flatMap((result) => {
    if (result.status === 'fulfilled') return [];
    const { name, code } = result.reason as { name: string; code: string };
    if (name !== 'DomainError') throw result.reason;
    return [code];
  });
}

const addMember = (db: Database) => addBetaMember(db, { email: `${newId()}@example.org` });

const passwords = createCheapPasswordHasher();

const accountsOf = (db: Database): AccountsContext => ({
  db,
  clock,
  keyring,
  passwords,
  mail: { enabled: true, notifyQueue: () => undefined },
  config: { adminEmails: [], adminDiscordIds: [], passkeys: null },
});

/** A watch that runs, with its first check begun by a daemon. */
async function watchUnderCheck(judgement: Judgement): Promise<{ id: string; check: FinishedCheck }> {
  const id = newId();
  await addWatch(one, id, clock.now(), { running: 0 });
  await startMonitoring(one, { watchId: id, actor, clock });
  const lease = await takeCheckLease(one, { watchId: id, owner: 'daemon', clock });
  const leaseToken = lease?.lease_token ?? 0;
  return {
    id,
    check: finishedCheck({ watchId: id, trigger: 'schedule', startedAt: clock.now(), leaseToken, judgement }),
  };
}

const record = (db: Database, check: FinishedCheck) =>
  recordCheck({ db, clock, adminContacts, sender: 'daemon' }, check, MINUTE);

const statusesOf = async (watchId: string) =>
  (await one.selectFrom('alerts').select('status').where('watch_id', '=', watchId).execute()).map(
    ({ status }) => status,
  );

/** Each row: two callers at once, and what holds afterwards. */
const ROWS: Record<string, () => Promise<void>> = {
  'a task that asks for its tokens and its proxy pays for the proxy that it got': async () => {
    const accountId = await addMember(one);
    await subscribe(one, accountId);
    await giveTokens(one, accountId, 10);
    const task = { accountId, taskId: newId() };
    const [consumed, proxy] = await race(
      () => consumeTokens(one, { ...task, clock }),
      () => issueProxy({ db: other, keyring, clock, proxyPool: ['http://proxy.test:1'] }, task),
    );
    expect(refusals([consumed, proxy])).toEqual([]);
    const got = proxy.status === 'fulfilled' && proxy.value !== null;
    expect(consumed).toMatchObject({ value: { consumed: got ? 2 : 1 } });
    expect(await readBalance(one, { accountId })).toBe(got ? 8 : 9);
  },

  'tokens that are bought while others are spent are all there': async () => {
    const accountId = await addMember(one);
    await giveTokens(one, accountId, 5);
    const [spent, bought] = await race(
      () => consumeTokens(one, { accountId, taskId: newId(), clock }),
      () => giveTokens(other, accountId, 10),
    );
    expect(refusals([spent, bought])).toEqual([]);
    expect(await readBalance(one, { accountId })).toBe(14);
  },

  'an id is of one package, whatever its kind': async () => {
    const fields = { id: `p-${newId().slice(0, 20)}`, name: 'A', description: 'A', pricePence: 100 };
    const results = await race(
      () => addTokenPackage(one, { fields: { ...fields, tokenCount: 1 }, actor, clock }),
      () => addSubscriptionPackage(other, { fields: { ...fields, durationDays: 1 }, actor, clock }),
    );
    expect(refusals(results)).toHaveLength(1);
  },

  'the payment steps of an account come one after the other': async () => {
    const accountId = await addMember(one);
    await one
      .insertInto('payment_customers')
      .values({ id: newId(), user_id: accountId, created_at: toIso(clock.now()) })
      .execute();
    let [running, most] = [0, 0];
    const step = (db: Database) => () =>
      withCustomerLease({ db, clock }, accountId, async () => {
        most = Math.max(most, (running += 1));
        await db.selectFrom('users').select('id').execute();
        running -= 1;
      });
    expect(refusals(await race(step(one), step(other)))).toEqual([]);
    expect(most).toBe(1);
  },

  'a check that sees the waiting room leaves no open alert of a stopped watch': async () => {
    const { id, check } = await watchUnderCheck(ROOM);
    const results = await race(
      () => record(one, check),
      () => stopMonitoring(other, { watchId: id, actor, clock }),
    );
    expect(refusals(results)).toEqual([]);
    expect((await readWatch(one, id)).running).toBe(0);
    expect(await statusesOf(id)).not.toContain('open');
  },

  'a check that sees the waiting room leaves no open alert of a deleted watch': async () => {
    const { id, check } = await watchUnderCheck(ROOM);
    const watch = await readWatch(one, id);
    const [, removed] = await race(
      () => record(one, check),
      () => removeWatch({ db: other, clock, queues: null }, { watch, actor }),
    );
    expect(refusals([removed])).toEqual([]);
    expect(await statusesOf(id)).not.toContain('open');
  },

  'a check and a change of its watch keep what the other writes': async () => {
    const { id, check } = await watchUnderCheck(ROOM);
    const watch = await readWatch(one, id);
    const context = { db: other, clock, targetUrl: 'https://shop.example/' } as WatchContext;
    const [recorded, changed] = await race(
      () => record(one, check),
      () => changeWatch(context, { watch, changes: { title: 'New' }, actor }),
    );
    expect(refusals([recorded, changed])).toEqual([]);
    const last = recorded.status === 'fulfilled' ? recorded.value.checkId : null;
    expect(await readWatch(one, id)).toMatchObject({ title: 'New', last_check_id: last, lease_owner: null });
  },

  'a check whose lease another has taken is not stored after it': async () => {
    const { id, check } = await watchUnderCheck(ROOM);
    await one
      .updateTable('watches')
      .set({ lease_until: toIso(clock.now() - 1) })
      .where('id', '=', id)
      .execute();
    const [recorded, taken] = await race(
      () => record(one, check),
      () => takeCheckLease(other, { watchId: id, owner: 'next', clock }),
    );
    expect(taken).toMatchObject({ value: { id } });
    // A check that is stored later would return the lease of the next one.
    expect(await readWatch(one, id)).toMatchObject({ lease_owner: 'next' });
    const before = taken.status === 'fulfilled' ? taken.value?.last_check_id : null;
    expect(before).toBe(recorded.status === 'fulfilled' ? recorded.value.checkId : null);
  },

  'a message that is accepted while its room closes is edited': async () => {
    await storeCheck(one, clock, { judgement: ROOM });
    await storeCheck(one, clock);
    const row = await one
      .selectFrom('alert_deliveries')
      .selectAll()
      .where('status', '=', 'pending')
      .executeTakeFirstOrThrow();
    const [claimed] = await OUTBOXES.alerts.claim(one, { ids: [row.id], owner: 'one', now: clock.now() });
    const sender = createDeliverySender({
      db: one,
      clock,
      logger: pino({ level: 'silent' }),
      owner: 'one',
      adminContacts,
      outcomes: createWriteRetrier({ onWait: () => undefined }),
    } as unknown as DeliverySenderContext);
    const outcome = { kind: 'ok' as const, revision: 1, messageId: '1', ms: 1, status: 200 };
    const results = await race(
      () => sender.settle([{ row: claimed ?? row, outcome, endedAt: clock.now() }]),
      () => storeCheck(other, clock),
    );
    expect(refusals(results)).toEqual([]);
    expect(
      await one
        .selectFrom('alert_deliveries')
        .innerJoin('alerts', 'alerts.id', 'alert_deliveries.alert_id')
        .select(['alert_deliveries.status', 'sent_revision', 'alerts.status as alert', 'revision'])
        .where('alert_deliveries.id', '=', row.id)
        .executeTakeFirst(),
    ).toEqual({ status: 'outdated', sent_revision: 1, alert: 'closed', revision: 2 });
    await one.deleteFrom('alert_deliveries').execute();
    await one.deleteFrom('alerts').execute();
  },

  'the members of an alert are listed once by two daemons': async () => {
    const { id, check } = await watchUnderCheck(ROOM);
    const members: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const member = await addMember(one);
      await subscribe(one, member);
      members.push(member);
    }
    const { announced } = await record(one, check);
    const list = (db: Database) => async () => {
      for (;;)
        if ((await fanOutStep(db, { source: { alertId: announced ?? '' }, mailEnabled: true, clock })).done)
          return;
    };
    expect(refusals(await race(list(one), list(other)))).toEqual([]);
    const rows = await one
      .selectFrom('member_deliveries')
      .select('user_id')
      .where('alert_id', '=', announced)
      .where('user_id', 'in', members)
      .execute();
    expect(rows.map(({ user_id }) => user_id).toSorted()).toEqual(members.toSorted());
    await removeWatch({ db: one, clock, queues: null }, { watch: await readWatch(one, id), actor });
  },

  'two watchdogs write one notice of the watches that are silent': async () => {
    await one.deleteFrom('admin_notices').execute();
    await one.updateTable('watches').set({ running: 0, silence_notified_at: null }).execute();
    const now = clock.now();
    await addHeartbeat(one, now);
    const silent = { started_at: toIso(now - HOUR), last_conclusive_at: null };
    for (let count = 0; count < 5; count += 1) await addWatch(one, newId(), now, silent);
    const watch = (db: Database) => () => watchMonitor(db, { adminContacts, now });
    expect(refusals(await race(watch(one), watch(other)))).toEqual([]);
    expect(await one.selectFrom('admin_notices').select('kind').execute()).toEqual([
      { kind: 'silence_began' },
    ]);
    await one.updateTable('watches').set({ running: 0 }).execute();
  },

  'an address that is registered twice at once has one account and one mail': async () => {
    const email = `${newId()}@example.org`;
    const register = (db: Database) => () =>
      registerWithPassword(accountsOf(db), {
        email,
        password: 'correct horse battery',
        browserKey: 'a browser',
        network: `network ${email}`,
      });
    expect(refusals(await race(register(one), register(other)))).toEqual([]);
    const mails = one.selectFrom('mails').select('id').where('recipient', '=', email);
    expect(await mails.execute()).toHaveLength(1);
    expect(await one.selectFrom('users').select('id').where('email', '=', email).execute()).toHaveLength(1);
  },

  'a second code that is requested twice at once is sent once': async () => {
    const email = `${newId()}@example.org`;
    await one
      .insertInto('users')
      .values({ id: newId(), email, username: 'Ann', created_at: '', updated_at: '' })
      .execute();
    const request = { email, browserKey: null, network: `network ${email}` };
    const resend = (db: Database) => () => resendCode(accountsOf(db), request);
    expect(refusals(await race(resend(one), resend(other)))).toEqual(['code_too_soon']);
    const mails = one.selectFrom('mails').select('id').where('recipient', '=', email);
    expect(await mails.execute()).toHaveLength(1);
  },

  'a member has no more browsers than allowed': async () => {
    const userId = await addMember(one);
    const add = (db: Database) => () => {
      const context = {
        db,
        clock,
        web: { requirePublicUrl: (url: string) => Promise.resolve(new URL(url)) },
        allowedPrivateHosts: [],
      };
      const keys = { p256dh: 'a', auth: 'b' };
      const subscription = { endpoint: `https://push.test/${newId()}`, keys };
      return addPushSubscription(context, { userId, subscription, userAgent: null });
    };
    for (let count = 0; count < 19; count += 1) await add(one)();
    expect(refusals(await race(add(one), add(other)))).toEqual(['too_many_devices']);
  },

  'two preferences of a member are both kept': async () => {
    const accountId = await addMember(one);
    const results = await race(
      () => updatePreferences(one, { accountId, preferences: { alerts: { email: false } }, clock }),
      () => updatePreferences(other, { accountId, preferences: { alerts: { push: true } }, clock }),
    );
    expect(refusals(results)).toEqual([]);
    const { preferences } = await one
      .selectFrom('users')
      .select('preferences')
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow();
    expect(readPreferences(preferences).alerts).toMatchObject({ email: false, push: true });
  },

  'two retailers that are added are both listed': async () => {
    const names = [newId().slice(0, 12), newId().slice(0, 12)] as const;
    await one.deleteFrom('settings').where('key', '=', 'retailers').execute();
    const results = await race(
      () => addRetailer(one, { retailer: names[0], actor, clock }),
      () => addRetailer(other, { retailer: names[1], actor, clock }),
    );
    expect(refusals(results)).toEqual([]);
    expect(await listRetailers(one)).toEqual(expect.arrayContaining([...names]));
  },

  'two slides that are switched are both switched': async () => {
    const before = await readHeroSlides(one);
    const { newsSlideEnabled: news, discordSlideEnabled: discord } = before;
    const results = await race(
      () => changeHeroSlides(one, { changes: { newsSlideEnabled: !news }, actor, clock }),
      () => changeHeroSlides(other, { changes: { discordSlideEnabled: !discord }, actor, clock }),
    );
    expect(refusals(results)).toEqual([]);
    expect(await readHeroSlides(one)).toMatchObject({
      newsSlideEnabled: !news,
      discordSlideEnabled: !discord,
    });
  },

  'two changes of an article are both kept': async () => {
    const id = await addMember(one);
    const fields = { title: 'A', content: '<p>Text</p>' };
    const article = await createArticle(one, { fields, author: { id, username: 'Ash' }, clock });
    const results = await race(
      () => updateArticle(one, { id: article.id, changes: { title: 'B' }, actor, clock }),
      () => updateArticle(other, { id: article.id, changes: { excerpt: 'C' }, actor, clock }),
    );
    expect(refusals(results)).toEqual([]);
    const kept = await one
      .selectFrom('articles')
      .select(['title', 'excerpt'])
      .where('id', '=', article.id)
      .executeTakeFirst();
    expect(kept).toEqual({ title: 'B', excerpt: 'C' });
  },

  'a version is of one release': async () => {
    const version = `1.0.${Math.floor(Math.random() * 1e9)}`;
    const fields = { version, releaseNotes: '', isBeta: false, published: true };
    const create = (db: Database) => () => createRelease(db, { fields, actor, clock });
    expect(refusals(await race(create(one), create(other)))).toEqual(['version_exists']);
  },

  'a webhook that an admin sets while a daemon starts stays': async () => {
    const url = `https://discord.test/api/webhooks/1/${newId()}`;
    const results = await race(
      () => sealStoredWebhooks(one, keyring),
      () =>
        inTransaction(other, (trx) =>
          trx
            .updateTable('webhooks')
            .set({ sealed_url: sealWebhook(keyring, url) })
            .execute(),
        ),
    );
    expect(refusals(results)).toEqual([]);
    const { sealed_url } = await one.selectFrom('webhooks').select('sealed_url').executeTakeFirstOrThrow();
    expect(openWebhook(keyring, sealed_url)).toBe(url);
  },

  'two daemons that start have one key pair for web push': async () => {
    await one.deleteFrom('push_keys').execute();
    const [a, b] = await race(
      () => ensurePushKeys(one, keyring, clock),
      () => ensurePushKeys(other, keyring, clock),
    );
    expect(refusals([a, b])).toEqual([]);
    expect(a).toEqual(b);
  },
};

it.each(Object.entries(ROWS))('%s', { timeout: ROUNDS * 20_000 }, async (_name, row) => {
  for (let round = 0; round < ROUNDS; round += 1) await row();
});
