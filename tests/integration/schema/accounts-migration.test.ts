import { sql } from 'kysely';
import { copyFileSync } from 'node:fs';
import { expect, inject, it } from 'vitest';
import { migrateFileDown, migrateFileToLatest } from '#shared/database/sqlite/migrator.server';
import { migrations } from '../../../migrations/all-migrations';
import { databaseFile } from '../database-file';

const { '0001-monitor-and-alerts': first, ...later } = migrations;
const NOW = '2026-11-20T12:00:00.000Z';
const file = databaseFile();

const query = <Row>(text: string): Promise<Row[]> =>
  file.open(async (db) => (await sql.raw<Row>(text).execute(db)).rows);

const shape = () =>
  query<{ sql: string }>(`select sql from sqlite_master where sql is not null and name <> 'x' order by name`);

it('existing accounts survive the migration up, down and up again', async () => {
  if (first === undefined) throw new Error('the first migration is gone');
  await migrateFileToLatest(file.path, { '0001-monitor-and-alerts': first });
  const before = await shape();
  await query(
    `insert into users (id, email, username, created_at, updated_at) values ('u', 'ann@example.org', 'ann', '${NOW}', '${NOW}')`,
  );
  expect((await migrateFileToLatest(file.path, migrations)).ran).toEqual(Object.keys(later));
  const after = await shape();
  expect(await query('select preferences, beta_ever_requested, password_hash from users')).toEqual([
    { preferences: '{}', beta_ever_requested: 0, password_hash: null },
  ]);
  await query(
    `insert into admin_notices (id, kind, dedupe_key, title, body, created_at) values ('n', 'daemon_gone', 'k', 'Gone', 'It is gone.', '${NOW}'), ('e', 'payment_event_failed', 'f', 'Failed', 'It failed.', '${NOW}')`,
  );
  await query(
    `insert into alert_deliveries (id, notice_id, audience, channel, destination, status, due_at, expires_at, created_at, updated_at)
     values ('d', 'n', 'admin', 'email', 'ops@example.org', 'sent', '${NOW}', '${NOW}', '${NOW}', '${NOW}')`,
  );
  for (const _name of Object.keys(later)) await migrateFileDown(file.path, migrations, { backUp: false });
  expect(await shape()).toEqual(before);
  expect(await query('select id, kind from admin_notices')).toEqual([{ id: 'n', kind: 'daemon_gone' }]);
  expect(await query('select id, notice_id from alert_deliveries')).toEqual([{ id: 'd', notice_id: 'n' }]);
  expect(await query('select id from users')).toEqual([{ id: 'u' }]);
  await migrateFileToLatest(file.path, migrations);
  expect(await shape()).toEqual(after);
});

it.each([
  [
    'two valid codes of API calls without a cookie',
    `insert into verification_codes values ('b','u','h',null,null,null,null,null,'live',0,'t','t',null)`,
  ],
  [
    'two valid codes of one browser',
    `insert into verification_codes
     select id || browser, 'u', 'h', 'browser', null, null, null, null, 'live', 0, 't', 't', null
     from verification_codes, (select 'b' as browser union select 'c')`,
  ],
  ['a sixth attempt', `update verification_codes set tries = 6`],
  [
    'a code kept after its mail was sent',
    `insert into mails (id, recipient, template, sealed_code, status, due_at, expires_at, created_at, updated_at) values ('m','a','code','sealed','sent','t','t','t','t')`,
  ],
  [
    'a mail of an unknown kind',
    `insert into mails (id, recipient, template, status, due_at, expires_at, created_at, updated_at) values ('m','a','other','sent','t','t','t','t')`,
  ],
  ['an approval without a request', `update users set beta_approved_at = 't'`],
  ['an unconfirmed registration without a password', `update users set password_registration_id = 'r'`],
  [
    'a session without a user',
    `insert into sessions (id, user_id, token_hash, created_at, last_seen_at, expires_at) values ('s','nobody','h','t','t','t')`,
  ],
])('the database rejects %s', async (_what, statement) => {
  copyFileSync(inject('templateDatabase'), file.path);
  await query(
    `insert into users (id, email, username, created_at, updated_at) values ('u', 'a', 'a', 't', 't')`,
  );
  await query(
    `insert into verification_codes values ('a','u','h',null,null,null,null,null,'live',0,'t','t',null)`,
  );
  await expect(query(statement)).rejects.toThrow(/constraint/i);
});

it('the migration down keeps the newest valid code of each account', async () => {
  const upToIt = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0005'));
  await migrateFileToLatest(file.path, upToIt);
  await query(
    `insert into users (id, email, username, created_at, updated_at) values ('u', 'a', 'a', 't', 't')`,
  );
  for (const [id, browser, at] of [
    ['a', 'null', '1'],
    ['b', `'one'`, '2'],
    ['c', `'two'`, '2'],
  ])
    await query(
      `insert into verification_codes (id, user_id, code_hash, browser_hash, status, created_at, expires_at)
       values ('${id}', 'u', 'h', ${browser}, 'live', '${at}', '9')`,
    );
  await migrateFileDown(file.path, upToIt);
  expect(await query('select id, status from verification_codes order by id')).toEqual([
    { id: 'a', status: 'replaced' },
    { id: 'b', status: 'replaced' },
    { id: 'c', status: 'live' },
  ]);
  await migrateFileToLatest(file.path, upToIt);
  expect(await query(`select id from verification_codes where status = 'live'`)).toEqual([{ id: 'c' }]);
});

it('the migration of the admin role remembers who granted it last', async () => {
  const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0013'));
  await migrateFileToLatest(file.path, before);
  for (const [id, role] of [
    ['listed', 'admin'],
    ['commanded', 'admin'],
    ['both', 'admin'],
    ['unlogged', 'admin'],
    ['member', 'member'],
  ])
    await query(
      `insert into users (id, email, username, role, created_at, updated_at) values ('${id}', '${id}', '${id}', '${role}', 't', 't')`,
    );
  for (const [subject, at, details] of [
    ['listed', '1', 'null'],
    ['listed', '2', `'{"by":"ADMIN_EMAILS"}'`],
    ['commanded', '1', `'{"by":"ADMIN_DISCORD_IDS"}'`],
    ['commanded', '2', 'null'],
    ['both', '1', `'{"by":"ADMIN_DISCORD_IDS"}'`],
    ['member', '1', `'{"by":"ADMIN_EMAILS"}'`],
  ])
    await query(
      `insert into audit_log (id, action, subject, details, created_at) values ('${subject}${at}', 'admin.grant', '${subject}', ${details}, '${at}')`,
    );
  await query(
    `insert into mails (id, recipient, template, status, due_at, expires_at, created_at, updated_at) values ('m','a','beta_approved','sent','t','t','t','t')`,
  );
  await migrateFileToLatest(file.path, migrations);
  expect(await query('select id, admin_granted_by as by_whom from users order by id')).toEqual([
    { id: 'both', by_whom: 'environment' },
    { id: 'commanded', by_whom: 'command' },
    { id: 'listed', by_whom: 'environment' },
    { id: 'member', by_whom: null },
    { id: 'unlogged', by_whom: 'command' },
  ]);
  expect(await query('select id, template from mails')).toEqual([{ id: 'm', template: 'beta_approved' }]);
});
