import Sqlite from 'better-sqlite3';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Account } from '#shared/accounts/account';
import { DAY, HOUR, toIso, type Clock } from '#shared/clock';
import { newId } from '#shared/ids';
import { LEFT_OUT, OUTBOX_MECHANICS, SECTIONS } from '#shared/personal-data/archive-sections';
import { endExports, purgeExports } from '#shared/personal-data/data-exports';
import { inTransaction } from '#shared/database/transaction';
import { PLAIN_SESSION_COOKIE } from '~/http/cookies/session-cookie.server';
import { serverContext } from '~/http/server/context.server';
import * as accountPage from '~/routes/account/account';
import * as dataPage from '~/routes/account/data';
import * as dataFile from '~/routes/account/data-file';
import { freePort } from '../../free-port';
import { giveTokens } from '../../paid-accounts';
import { eventually } from '../../eventually';
import { createApiFixture, type ApiFixture } from '../api/api-fixture';
import { textOf } from '../rendered-site';
import { startSite, type RunningSite } from '../running-site';
import { makeDueExports, mailedLink, storedArchive } from './export-fixture';
import { readZip } from './read-zip';

const pages = { '/account': accountPage, '/account/data': dataPage, '/account/data/file': dataFile };

let fixture: ApiFixture;
let site: RunningSite;
let origin: string;
beforeAll(async () => {
  origin = `http://127.0.0.1:${await freePort()}`;
  fixture = await createApiFixture({ APP_URL: origin });
  site = await startSite(pages);
});
afterAll(async () => {
  await site.close();
  await fixture.cleanup();
});

interface Member {
  account: Account;
  token: string;
}

async function member(fields: Partial<Account> = {}): Promise<Member> {
  const account = await fixture.account('member', fields);
  return { account, token: await fixture.signIn(account) };
}

/** A page as a browser without scripts gets it; with `fields` after it has sent a form. */
async function visit(path: string, token: string, fields?: Record<string, string>) {
  const response = await fetch(origin + path, {
    redirect: 'manual',
    headers: { Cookie: `${PLAIN_SESSION_COOKIE}=${token}`, Origin: origin, 'Sec-Fetch-Mode': 'navigate' },
    ...(fields && { method: 'POST', body: new URLSearchParams(fields) }),
  });
  const leadsTo = response.headers.get('Location');
  return { status: response.status, leadsTo, text: textOf(await response.text()) };
}

const ask = ({ token }: Member) => visit('/account', token, { intent: 'export' });

/** Requests an archive, makes it, and returns the path of its link. */
async function askAndMake(who: Member): Promise<string> {
  expect(await ask(who)).toMatchObject({ status: 303 });
  await makeDueExports();
  return mailedLink(who.account.email);
}

/** Sends the form of a link's page; the response, of which nothing is read. */
async function startDownload(link: string, { token }: Member): Promise<IncomingMessage> {
  const path = link.replace('/account/data', '/account/data/file');
  const request = httpRequest(origin + path, {
    method: 'POST',
    headers: { Cookie: `${PLAIN_SESSION_COOKIE}=${token}`, Origin: origin, 'Content-Length': '0' },
  });
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

async function download(link: string, who: Member): Promise<{ response: IncomingMessage; bytes: Buffer }> {
  const response = await startDownload(link, who);
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { response, bytes: Buffer.concat(chunks) };
}

const exportsOf = (accountId: string) =>
  fixture.db
    .selectFrom('data_exports')
    .selectAll()
    .where('user_id', '=', accountId)
    .orderBy('created_at')
    .execute();

test('every column of a table that names a member is in the archive, or is left out with a reason', () => {
  const sqlite = new Sqlite(inject('templateDatabase'), { readonly: true });
  const tables = sqlite
    .prepare<[], { name: string }>(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like 'kysely_%'",
    )
    .all()
    .map(({ name }) => ({
      name,
      columns: (sqlite.pragma(`table_info("${name}")`) as { name: string }[]).map((column) => column.name),
      parents: (sqlite.pragma(`foreign_key_list("${name}")`) as { table: string }[]).map(
        ({ table }) => table,
      ),
    }));
  sqlite.close();
  // Keyed hashes of addresses, and texts that may be ids of accounts, are no foreign keys.
  const named =
    /^(?:user|account|member|actor|author)_id$|^(?:recipient|subject|email|email_hash|discord_id)$/;
  const personal = tables.filter(
    ({ name, columns, parents }) =>
      name === 'users' ||
      parents.some((table) => table === 'users' || table === 'subscriptions') ||
      columns.some((column) => named.test(column)),
  );
  expect(personal.length).toBeGreaterThan(20);
  const isLeftOut = (table: string, column: string) =>
    `${table}.${column}` in LEFT_OUT || (column === 'user_id' && SECTIONS.some((one) => one.table === table));
  const missing = personal.flatMap(({ name, columns }) => {
    if (name in LEFT_OUT) return [];
    const section = SECTIONS.find(({ table }) => table === name);
    const isOutbox = columns.includes('claimed_by') && columns.includes('due_at');
    return columns
      .filter(
        (column) =>
          section?.columns.includes(column) !== true &&
          !isLeftOut(name, column) &&
          !(isOutbox && OUTBOX_MECHANICS.includes(column)),
      )
      .map((column) => `${name}.${column}`);
  });
  expect(missing).toEqual([]);
  const known = new Set(
    tables.flatMap(({ name, columns }) => [name, ...columns.map((column) => `${name}.${column}`)]),
  );
  expect(Object.keys(LEFT_OUT).filter((name) => !known.has(name))).toEqual([]);
});

describe('the archive', () => {
  test('holds what belongs to the member, in JSON and CSV, and nothing of another', async () => {
    const ann = await member({ username: '=HYPERLINK("http://x")' });
    const other = await member({ username: 'Somebody else' });
    await giveTokens(fixture.db, ann.account.id, 50);
    await giveTokens(fixture.db, other.account.id, 7);
    const now = toIso(serverContext().clock.now());
    await fixture.db
      .insertInto('product_suggestions')
      .values({ id: newId(), user_id: ann.account.id, url: '+44, "quoted"\nline', created_at: now })
      .execute();
    const files = readZip((await download(await askAndMake(ann), ann)).bytes);

    const json = (name: string) =>
      JSON.parse(files.get(`json/${name}.json`) ?? 'null') as Record<string, unknown>[];
    expect(json('profile')).toMatchObject([{ email: ann.account.email, preferences: {} }]);
    expect(json('token-ledger')).toMatchObject([{ seq: 1, tokens: 50, kind: 'purchase' }]);
    expect(json('sessions')).toHaveLength(1);
    expect(json('account-events')).toMatchObject([{ action: 'account.request_export' }]);
    expect(json('invoices')).toEqual([]);
    const csv = files.get('csv/profile.csv') ?? '';
    expect(csv).toMatch(/^\uFEFF"id","email",/);
    expect(csv).toContain(`,"'=HYPERLINK(""http://x"")",`);
    expect(files.get('csv/suggestions.csv')).toContain(`"'+44, ""quoted""\nline"`);
    expect(files.get('csv/token-ledger.csv')).toContain(',"purchase",50,0,50,');

    expect([...files.keys()]).toEqual([
      'README.txt',
      ...SECTIONS.flatMap(({ name }) => [`json/${name}.json`, `csv/${name}.csv`]),
    ]);
    const all = [...files.values()].join('\n');
    for (const text of [other.account.id, other.account.email, 'Somebody else', ann.account.password_hash])
      if (text !== null) expect(all).not.toContain(text);
    expect(all).not.toContain('token_hash":');
  });

  test('has every row of a list that is longer than a page, once, in order', async () => {
    const ann = await member();
    const rows = 2_003;
    const created = toIso(serverContext().clock.now());
    for (let from = 0; from < rows; from += 500)
      await fixture.db
        .insertInto('audit_log')
        .values(
          Array.from({ length: Math.min(500, rows - from) }, (_, index) => ({
            id: newId(),
            actor_id: ann.account.id,
            action: 'account.sign_in',
            subject: ann.account.id,
            details: JSON.stringify({ number: from + index }),
            created_at: created,
          })),
        )
        .execute();
    await askAndMake(ann);
    const files = readZip(await storedArchive(ann.account.id));
    const events = JSON.parse(files.get('json/account-events.json') ?? '') as { id: string }[];
    expect(new Set(events.map(({ id }) => id)).size).toBe(rows + 1);
    expect(events).toHaveLength(rows + 1);
    expect((files.get('csv/account-events.csv') ?? '').split('\r\n')).toHaveLength(rows + 3);
  });
});

describe('a request', () => {
  test('is the same while its archive is made, and the next one ends the link of the last', async () => {
    const ann = await member();
    await Promise.all([ask(ann), ask(ann), ask(ann)]);
    expect(await exportsOf(ann.account.id)).toHaveLength(1);
    expect((await visit('/account', ann.token)).text).toContain('is being prepared.');
    await makeDueExports();
    const first = await mailedLink(ann.account.email);
    expect((await visit('/account', ann.token)).text).toContain(
      'The link to your archive is in your mailbox',
    );
    const second = await askAndMake(ann);
    expect((await visit(first, ann.token)).text).toContain('This link has expired, or a newer request');
    expect((await visit(second, ann.token)).text).toContain('Your data is ready');
    expect(await exportsOf(ann.account.id)).toHaveLength(2);
  });

  test('is refused beyond five a day, and while there is no mail', async () => {
    const ann = await member();
    const context = serverContext();
    const { mail } = context;
    context.mail = { ...mail, enabled: false };
    expect((await ask(ann)).text).toContain('We cannot send email right now');
    context.mail = mail;
    for (let count = 0; count < 4; count += 1) expect(await ask(ann)).toMatchObject({ status: 303 });
    expect((await ask(ann)).status).toBe(200);
    expect(await exportsOf(ann.account.id)).toHaveLength(1);
  });

  test('is made by the next daemon when the first one dies, and again when the disk refuses it', async () => {
    const ann = await member();
    await ask(ann);
    const { db, clock, releaseStorage } = serverContext();
    // Claimed by a daemon that is gone.
    await db
      .updateTable('data_exports')
      .set({ status: 'sending', claimed_by: 'dead', claimed_until: toIso(clock.now() - 1), attempts: 1 })
      .where('user_id', '=', ann.account.id)
      .execute();
    const full = { ...releaseStorage, put: () => Promise.reject(new Error('no space left')) };
    await makeDueExports({ storage: full });
    expect(await exportsOf(ann.account.id)).toMatchObject([{ status: 'pending', upload_id: null }]);
    await db
      .updateTable('data_exports')
      .set({ due_at: toIso(clock.now()) })
      .where('user_id', '=', ann.account.id)
      .execute();
    await makeDueExports();
    expect(await exportsOf(ann.account.id)).toMatchObject([{ status: 'sent', attempts: 3 }]);
    // The refused attempt left nothing behind.
    const pending = db
      .selectFrom('uploads')
      .select('id')
      .where('kind', '=', 'export')
      .where('status', '=', 'pending');
    expect(await pending.execute()).toEqual([]);
  });

  test('makes no archive of an account that was disabled in the meantime', async () => {
    const ann = await member();
    await ask(ann);
    await fixture.db
      .updateTable('users')
      .set({ disabled_at: toIso(1) })
      .where('id', '=', ann.account.id)
      .execute();
    await makeDueExports();
    expect(await exportsOf(ann.account.id)).toMatchObject([{ status: 'cancelled', upload_id: null }]);
  });
});

describe('a link', () => {
  test('gives the archive once, only to its owner, and then removes it', async () => {
    const [ann, eve] = [await member(), await member()];
    const link = await askAndMake(ann);
    const { releaseStorage, storage } = serverContext();

    expect((await visit(link, eve.token)).text).toContain(
      'This link is not for the account that is signed in',
    );
    expect((await startDownload(link, eve)).headers.location).toBe(link);
    expect((await visit(link, '')).leadsTo).toContain('/?auth=login&next=%2Faccount%2Fdata');
    expect((await startDownload(link, { ...eve, token: 'none' })).headers.location).toContain('/?auth=login');
    for (const path of [link.slice(0, -1), '/account/data', '/account/data?token=constructor'])
      expect((await visit(path, ann.token)).text).toContain('This link is not for the account');
    // Opening the page does not use up the link.
    for (let count = 0; count < 2; count += 1)
      expect((await visit(link, ann.token)).text).toMatch(
        /One zip of [\d.]+ KB\. The link works once, until /,
      );

    const [made] = await exportsOf(ann.account.id);
    expect(await releaseStorage.list()).toContain(made?.upload_id);
    const { response, bytes } = await download(link, ann);
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(bytes.byteLength),
      'content-disposition': 'attachment; filename="packwatch-data.zip"',
      'cache-control': 'no-store, no-transform',
    });
    expect(readZip(bytes).has('README.txt')).toBe(true);

    await eventually(async () =>
      expect(await exportsOf(ann.account.id)).toMatchObject([{ upload_id: null }]),
    );
    expect((await startDownload(link, ann)).headers.location).toBe(link);
    expect((await visit(link, ann.token)).text).toContain(
      'This link works only once and has been used. You can request a new one on your account page.',
    );
    await eventually(async () => expect(await releaseStorage.list()).not.toContain(made?.upload_id));
    expect(await storage.list()).toEqual([]);
  });

  test('works again after a download that broke off', async () => {
    const ann = await member();
    const now = toIso(serverContext().clock.now());
    // More than the buffers between the server and a client that reads nothing.
    await fixture.db
      .updateTable('users')
      .set({ preferences: '{}', updated_at: now })
      .where('id', '=', ann.account.id)
      .execute();
    const noise = () => Array.from({ length: 40 }, () => newId()).join('');
    for (let count = 0; count < 4_000; count += 500)
      await fixture.db
        .insertInto('audit_log')
        .values(
          Array.from({ length: 500 }, () => ({
            id: newId(),
            action: 'account.sign_in',
            subject: ann.account.id,
            details: JSON.stringify({ noise: noise() }),
            created_at: now,
          })),
        )
        .execute();
    const link = await askAndMake(ann);
    const broken = await startDownload(link, ann);
    await once(broken, 'readable');
    broken.destroy();
    await once(broken, 'close');
    expect((await visit(link, ann.token)).text).toContain('Your data is ready');
    const { bytes } = await download(link, ann);
    expect(readZip(bytes).size).toBeGreaterThan(10);
    await eventually(async () => expect((await visit(link, ann.token)).text).toContain('has been used'));
  });

  test('ends after a day: its archive is removed, and its row a month later', async () => {
    const ann = await member();
    const link = await askAndMake(ann);
    const { db, clock } = serverContext();
    const realNow = clock.now.bind(clock);
    const later = (ms: number): void => void ((clock as Clock).now = () => realNow() + ms);
    try {
      later(DAY - HOUR);
      expect((await visit(link, ann.token)).text).toContain('Your data is ready');
      later(DAY + 1_000);
      expect((await visit(link, ann.token)).text).toContain('This link has expired');
      expect((await startDownload(link, ann)).headers.location).toBe(link);
      await purgeExports(db, clock.now());
      expect(await exportsOf(ann.account.id)).toMatchObject([{ upload_id: null }]);
      await purgeExports(db, realNow() + 31 * DAY);
      expect(await exportsOf(ann.account.id)).toEqual([]);
    } finally {
      later(0);
    }
  });

  test('ends with the account’s other archives', async () => {
    const ann = await member();
    const link = await askAndMake(ann);
    await inTransaction(fixture.db, (trx) => endExports(trx, ann.account.id, serverContext().clock.now()));
    expect((await visit(link, ann.token)).text).toContain('This link has expired');
  });
});
