import { Redis } from 'ioredis';
import { sql } from 'kysely';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Account } from '#shared/accounts/account';
import { toIso } from '#shared/clock';
import { newId } from '#shared/ids';
import { finishDeletions } from '#shared/personal-data/finish-deletions.server';
import { sweepAreas } from '#shared/storage/sweep-uploads';
import { uploadPath } from '#shared/storage/upload-path';
import { serverContext } from '~/http/server/context.server';
import * as accountPage from '~/routes/account/account';
import * as deletePage from '~/routes/account/delete';
import * as keepPage from '~/routes/account/keep';
import * as loginPage from '~/routes/account/login';
import { giveTokens, subscribe } from '../../paid-accounts';
import { createApiFixture, type ApiFixture } from '../api/api-fixture';
import { createRenderedSite } from '../rendered-site';
import { makeDueExports } from './export-fixture';

const site = createRenderedSite({
  '/account': accountPage,
  '/account/delete': deletePage,
  '/keep-account': keepPage,
  '/login': loginPage,
});
const PASSWORD = 'correct horse battery';

/** Texts that nothing else in the database, in Redis and on the disk holds. */
const MARKS = {
  email: 'zebedee.quux@erase-me.example',
  name: 'Zebedee Quuxington',
  discordId: '987650000043210987',
  discordName: 'zebquux-at-discord',
  agent: 'ZebBrowser/9.1',
  note: 'zeb-says-goodbye',
};

let fixture: ApiFixture;
let logged = '';
beforeAll(async () => {
  fixture = await createApiFixture({ REDIS_URL: inject('redisUrl') });
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      logged += chunk.toString();
      done();
    },
  });
  serverContext().log = pino({ level: 'trace' }, destination);
});
afterAll(() => fixture.cleanup());

async function member(fields: Partial<Account> = {}): Promise<{ account: Account; token: string }> {
  const account = await fixture.account('member', {
    password_hash: await serverContext().passwords.hash(PASSWORD, 'test'),
    ...fields,
  });
  return { account, token: await fixture.signIn(account) };
}

/** Stores a file of an upload that a row of the account refers to. */
async function storeAvatar(): Promise<string> {
  const { db, storage, clock } = serverContext();
  const id = newId();
  const now = toIso(clock.now());
  await db
    .insertInto('uploads')
    .values({ id, kind: 'avatar', status: 'attached', created_at: now, updated_at: now })
    .execute();
  const image = sharp({ create: { width: 8, height: 8, channels: 3, background: '#123456' } });
  await storage.put(id, 'small.webp', await image.webp().toBuffer());
  return uploadPath(id, 'small.webp');
}

/** Adds a row of every table that may name a member. */
async function fillEveryTable(account: Account): Promise<void> {
  const { db, clock, keyring } = serverContext();
  const now = toIso(clock.now());
  const user_id = account.id;
  const outbox = {
    status: 'sent' as const,
    due_at: now,
    expires_at: now,
    created_at: now,
    updated_at: now,
    last_error: `550 ${MARKS.email}`,
  };
  await db
    .insertInto('sessions')
    .values({
      id: newId(),
      user_id,
      token_hash: newId(),
      user_agent: MARKS.agent,
      created_at: now,
      last_seen_at: now,
      expires_at: now,
    })
    .execute();
  await db
    .insertInto('verification_codes')
    .values({
      id: newId(),
      user_id,
      code_hash: newId(),
      proof: `discord:${MARKS.discordId}`,
      discord_id: MARKS.discordId,
      discord_username: MARKS.discordName,
      status: 'used',
      created_at: now,
      expires_at: now,
    })
    .execute();
  await db
    .insertInto('code_requests')
    .values([
      { id: newId(), email_hash: keyring.hash('email', account.email), requested_at: now },
      { id: newId(), email_hash: 'x', proof: `discord:${MARKS.discordId}`, requested_at: now },
    ])
    .execute();
  await db
    .insertInto('mails')
    .values([
      {
        ...outbox,
        id: newId(),
        recipient: account.email,
        template: 'beta_approved',
        data: `"${MARKS.note}"`,
      },
      { ...outbox, id: newId(), status: 'pending', recipient: account.email, template: 'password_changed' },
    ])
    .execute();
  await db
    .insertInto('member_deliveries')
    .values({
      ...outbox,
      id: newId(),
      alert_id: null,
      user_id,
      channel: 'email',
      target: user_id,
      handled_at: null,
    })
    .execute();
  const device = {
    user_id,
    endpoint: `https://push.example/${MARKS.note}`,
    p256dh: 'k',
    auth: 's',
    created_at: now,
  };
  await db
    .insertInto('push_subscriptions')
    .values({ ...device, id: newId(), user_agent: MARKS.agent })
    .execute();
  await sql`insert into ended_push_subscriptions (id, user_id, endpoint, p256dh, auth, user_agent, created_at, why, ended_at)
    values (${newId()}, ${user_id}, ${`${device.endpoint}/2`}, 'k', 's', ${MARKS.agent}, ${now}, 'gone', ${now})`.execute(
    db,
  );
  await db
    .insertInto('product_suggestions')
    .values({ id: newId(), user_id, url: `https://shop.example/${MARKS.note}`, created_at: now })
    .execute();
  await db
    .insertInto('audit_log')
    .values({
      id: newId(),
      actor_id: user_id,
      action: 'account.link_discord',
      subject: user_id,
      details: JSON.stringify({ discord: MARKS.discordId, before: null }),
      created_at: now,
    })
    .execute();
  await db
    .insertInto('articles')
    .values({
      id: newId(),
      title: 'Stays',
      content: '<p>Text</p>',
      summary: '',
      read_time_minutes: 1,
      published: 0,
      featured: 0,
      author_id: user_id,
      author_username: MARKS.name,
      created_at: now,
      updated_at: now,
    })
    .execute();
  await db
    .insertInto('proxy_assignments')
    .values({ user_id, task_id: MARKS.note, sealed_proxy: 'sealed', created_at: now })
    .execute();
  await db
    .insertInto('passkeys')
    .values({
      id: newId(),
      user_id,
      credential_id: newId(),
      public_key: 'key',
      counter: 0,
      name: MARKS.note,
      created_at: now,
      last_used_at: null,
      refused_at: null,
    })
    .execute();
  await db
    .insertInto('member_roles')
    .values({ ...outbox, id: newId(), discord_id: MARKS.discordId, audience: 'instant' })
    .execute();
  await db
    .insertInto('token_grants')
    .values({ id: newId(), user_id, tokens: 5, reason: MARKS.note, granted_by: null, created_at: now })
    .execute();
  await giveTokens(db, user_id, 50);
  await subscribe(db, user_id);
  await db
    .updateTable('subscriptions')
    .set({ cancel_reason: MARKS.note, status: 'canceled', ended_at: now })
    .where('user_id', '=', user_id)
    .execute();
  await db
    .insertInto('payment_customers')
    .values({ id: newId(), user_id, stripe_customer_id: `cus_${newId()}`, created_at: now })
    .execute();
}

/** Everything in the database, as text. */
async function dumpDatabase(): Promise<string> {
  const { db } = serverContext();
  const parts: string[] = [];
  for (const { name, schema } of await db.introspection.getTables()) {
    const table = sql.table(schema === undefined ? name : `${schema}.${name}`);
    const { rows } = await sql`select * from ${table}`.execute(db);
    parts.push(name, JSON.stringify(rows));
  }
  return parts.join('\n');
}

/** Every key and value in Redis, as text. */
async function dumpRedis(): Promise<string> {
  const redis = new Redis(inject('redisUrl'));
  const parts: unknown[] = [];
  try {
    for (const key of await redis.keys('*')) {
      const reads: Record<string, () => Promise<unknown>> = {
        string: () => redis.get(key),
        hash: () => redis.hgetall(key),
        list: () => redis.lrange(key, 0, -1),
        set: () => redis.smembers(key),
        zset: () => redis.zrange(key, '0', '-1'),
        stream: () => redis.xrange(key, '-', '+'),
      };
      parts.push(key, await reads[await redis.type(key)]?.());
    }
  } finally {
    redis.disconnect();
  }
  return JSON.stringify(parts);
}

/** Every file below a folder, names and bytes as text. */
function dumpFolder(folder: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const name of readdirSync(folder, { recursive: true }) as string[]) {
    const path = join(folder, name);
    if (statSync(path).isFile()) files.set(name, readFileSync(path, 'latin1'));
  }
  return files;
}

const marksIn = (text: string, id: string | null = null): string[] =>
  [...Object.values(MARKS), ...(id === null ? [] : [id])].filter((mark) => text.includes(mark));

describe('the page', () => {
  test('asks for the password or a mailed code, lists what is deleted and what is kept, and ends every session', async () => {
    const { account, token } = await member();
    const page = await site.get('/account/delete', token);
    expect(page.text).toContain('For seven days you can cancel this');
    expect(page.text).toContain('which British tax law makes us keep for at least six years');
    const refusals = [
      [{}, 'Please enter your password or request a code.'],
      [{ password: 'wrong horse battery' }, 'This is not your password.'],
      [{ code: '000000' }, 'This code is wrong or no longer valid.'],
    ] as const;
    for (const [fields, says] of refusals) {
      const refused = await site.post('/account/delete', token, { intent: 'delete', ...fields });
      expect(refused.text.toLowerCase()).toContain(says.toLowerCase());
      expect(refused.html).not.toContain('wrong horse battery');
    }
    const other = await fixture.signIn(account);
    const done = await site.post('/account/delete', token, { intent: 'delete', password: PASSWORD });
    expect(done).toMatchObject({ status: 303 });
    expect(done.leadsTo).toMatch(/^\/keep-account\?token=/);
    for (const ended of [token, other])
      expect((await site.get('/account', ended)).leadsTo).toContain('auth=login');

    const link = done.leadsTo ?? '';
    const asked = await site.get(link, '');
    expect(asked.text).toContain('Your account will be deleted');
    expect(asked.html).not.toContain(account.email);
    expect(await site.post(link, '', { intent: 'keep' })).toMatchObject({ status: 303, leadsTo: link });
    expect((await site.get(link, '')).text).toContain('No deletion is pending');
    expect((await site.get('/account', await fixture.signIn(account))).status).toBe(200);
    for (const path of ['/keep-account', `${link}x`])
      expect((await site.get(path, '')).text).toContain('This link is not complete');
  });

  test('takes a code that was mailed to this session, from an account with or without a password', async () => {
    for (const password_hash of [null, 'scrypt$unused']) {
      const { account, token } = await member({ password_hash });
      await site.post('/account/delete', token, { intent: 'code' });
      const code = await fixture.codeFor(account.email);
      const elsewhere = await fixture.signIn(account);
      const wrong = await site.post('/account/delete', elsewhere, { intent: 'delete', code });
      expect(wrong.status).toBe(200);
      const done = await site.post('/account/delete', token, { intent: 'delete', code });
      expect(done.leadsTo).toMatch(/^\/keep-account\?token=/);
    }
  });
});

test('after a deletion no table, log line, file, job or cache holds the address, the name or the Discord id', async () => {
  const { account, token } = await member({
    email: MARKS.email,
    username: MARKS.name,
    username_search: MARKS.name.toLowerCase(),
    discord_id: MARKS.discordId,
    discord_username: MARKS.discordName,
    discord_search: MARKS.discordName,
    mail_bounced_at: toIso(1),
    mail_bounce_reason: `550 ${MARKS.email}`,
    discord_picture: await storeAvatar(),
  });
  const { db, clock, keyring, payments, storage, releaseStorage } = serverContext();
  await fillEveryTable(account);
  expect(await site.post('/account', token, { intent: 'export' })).toMatchObject({ status: 303 });
  await makeDueExports();
  // Rows that retention has deleted before leave nothing behind, either.
  await db.deleteFrom('mails').where('template', '=', 'beta_approved').execute();

  const before = await dumpDatabase();
  expect(marksIn(before).toSorted()).toEqual(Object.values(MARKS).toSorted());
  expect([...(await storage.list()), ...(await releaseStorage.list())]).toHaveLength(2);

  const done = await site.post('/account/delete', token, { intent: 'delete', password: PASSWORD });
  expect(done.leadsTo).toMatch(/^\/keep-account/);
  await db
    .updateTable('users')
    .set({ delete_after: toIso(clock.now()) })
    .where('id', '=', account.id)
    .execute();
  expect(await finishDeletions({ db, payments, keyring })).toMatchObject({
    deleted: [account.id],
    waiting: [],
    faults: [],
  });
  const areas = [
    { area: 'uploads', storage },
    { area: 'releases', storage: releaseStorage },
  ] as const;
  await sweepAreas(areas, { db, clock });

  const after = await dumpDatabase();
  const kept = after.replaceAll(`"task_id":"${MARKS.note}"`, '');
  expect(marksIn(kept)).toEqual([]);
  expect([...(await storage.list()), ...(await releaseStorage.list())]).toEqual([]);
  expect(marksIn(await dumpRedis())).toEqual([]);
  expect(marksIn(logged)).toEqual([]);
  const { dataDir } = serverContext().config;
  const found = [...dumpFolder(dataDir)].flatMap(([name, text]) =>
    marksIn(name + text).map((mark) => [name, mark]),
  );
  expect(found).toEqual([]);

  // What stays has a pseudonym: the ledger, the purchases, who did what when, and the article.
  const rows = await db
    .selectFrom('token_ledger')
    .select('tokens')
    .where('user_id', '=', account.id)
    .execute();
  expect(rows).toEqual([{ tokens: 50 }]);
  const events = await db
    .selectFrom('audit_log')
    .select(['action', 'details'])
    .where('subject', '=', account.id)
    .orderBy('created_at')
    .execute();
  expect(events.map(({ action }) => action)).toContain('account.delete');
  expect(events.every(({ details }) => details === null)).toBe(true);
  expect(await db.selectFrom('articles').select('author_id').where('title', '=', 'Stays').execute()).toEqual([
    { author_id: null },
  ]);
});
