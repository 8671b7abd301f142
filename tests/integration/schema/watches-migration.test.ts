import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { migrateFileDown, migrateFileToLatest } from '#shared/database/sqlite/migrator.server';
import { migrations } from '../../../migrations/all-migrations';
import { databaseFile } from '../database-file';

const WATCHES = '0008-watches';
const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < WATCHES));
const withWatches = Object.fromEntries(Object.entries(migrations).filter(([name]) => name <= WATCHES));
const FIRST = 'pokemon-center-uk';
const file = databaseFile();

const run = (...statements: string[]) =>
  file.open(async (db) => {
    for (const statement of statements) await sql.raw(statement).execute(db);
  });
const read = (query: string) =>
  file.open(async (db) => (await sql.raw(query).execute(db)).rows as Record<string, unknown>[]);

/** Every row of the tables that the migration changes. */
const OLD_TABLES = ['monitor_settings', 'monitor_state', 'alerts', 'alert_deliveries', 'monitor_checks'];
const readAll = async () =>
  Object.fromEntries(
    await Promise.all(
      OLD_TABLES.map(async (table) => [table, await read(`select * from ${table} order by 1`)]),
    ),
  ) as Record<string, Record<string, unknown>[]>;

const insertSetting = (key: string, value: string, fault: string | null = null) =>
  `insert into monitor_settings values ('${key}', '${value}', ${fault === null ? 'null, null' : `'${fault}', 'f'`}, 'u')`;
const insertCheck = (id: string, watch = '') =>
  `insert into monitor_checks (id, "trigger", started_at, check_timestamp, target_url, verdict, reason, queue_detected,
     response_time_ms, raw_response_length, scrappey_status, content_analysis, response_headers${watch && ', watch_id'})
   values ('${id}', 'schedule', 't', 't', 'https://shop.example/', 'open', 'a shop', 0, 10, 0, 'disabled', '{}', '{}'${watch && `, '${watch}'`})`;
const insertAlert = (id: string, url: string, watch = '') =>
  `insert into alerts (id, target_url, status, strength, opened_at, last_seen_at, revision, opening_check_id${watch && ', watch_id'})
   values ('${id}', '${url}', 'open', 'strong', 't', 't', 1, 'c'${watch && `, '${watch}'`})`;
const insertDelivery = (id: string, alert: string, audience: string, destination: string) =>
  `insert into alert_deliveries (id, alert_id, audience, channel, destination, status, due_at, expires_at, created_at, updated_at)
   values ('${id}', '${alert}', '${audience}', 'discord', '${destination}', 'pending', 't', 't', 't', 't')`;

it('the stored data of the single page belongs to the first watch, and is restored on the way down', async () => {
  await migrateFileToLatest(file.path, before);
  await run(
    insertSetting('check_interval_seconds', '30'),
    insertSetting('monitoring_hours', '8-22'),
    insertSetting('scrappey_daily_limit', '7'),
    insertSetting('discord_webhook_url', 'sealed:a', 'Discord answered 404'),
    insertSetting('discord_webhook_url_admin', 'https://discord.com/api/webhooks/1/clear'),
    `update monitor_state set running = 1, started_at = 's', lease_token = 41, last_check_id = 'check', opens_in_row = 1,
       last_verdict = 'open', silence_told_at = 'q', daemon_gone_told_at = 'g', clock_step_at = 'c', clock_step_ms = -9`,
    insertCheck('check'),
    insertAlert('alert', 'https://shop.example/'),
    // An alert of another page, which the daemon has not closed yet.
    insertAlert('moved', 'https://before.example/'),
    insertDelivery('delivery', 'alert', 'instant', 'discord_webhook_url'),
  );
  const stored = await readAll();
  await migrateFileToLatest(file.path, withWatches);

  expect(await read('select * from watches')).toMatchObject([
    {
      id: FIRST,
      slug: FIRST,
      title: 'Pokemon Center UK',
      url: null,
      time_zone: 'Europe/London',
      hours: '8-22',
      interval_seconds: 30,
      running: 1,
      started_at: 's',
      lease_token: 41,
      last_check_id: 'check',
      opens_in_row: 1,
      silence_notified_at: 'q',
    },
  ]);
  expect(await read('select * from daemon_state')).toEqual([
    { id: 'daemon', gone_notified_at: 'g', clock_step_at: 'c', clock_step_ms: -9 },
  ]);
  expect(await read('select * from webhooks order by audience')).toEqual([
    {
      watch_id: FIRST,
      audience: 'admin',
      sealed_url: 'https://discord.com/api/webhooks/1/clear',
      state: 'trusted',
      last_fault: null,
      last_fault_at: null,
      updated_at: 'u',
    },
    {
      watch_id: FIRST,
      audience: 'instant',
      sealed_url: 'sealed:a',
      state: 'rejected',
      last_fault: 'Discord answered 404',
      last_fault_at: 'f',
      updated_at: 'u',
    },
  ]);
  expect(await read('select setting_key, setting_value from monitor_settings')).toEqual([
    { setting_key: 'scrappey_daily_limit', setting_value: '7' },
  ]);
  expect(await read('select destination from alert_deliveries')).toEqual([{ destination: FIRST }]);
  expect(await read('select watch_id from alerts union all select watch_id from monitor_checks')).toEqual(
    Array.from({ length: 3 }, () => ({ watch_id: FIRST })),
  );

  expect((await migrateFileDown(file.path, withWatches)).ran).toEqual([WATCHES]);
  // A watch stores everything except the times at which the interval and the hours were set.
  const withoutTime = (rows: Record<string, unknown>[] = []) =>
    rows.map((row) =>
      ['check_interval_seconds', 'monitoring_hours'].includes(String(row.setting_key))
        ? { ...row, updated_at: '' }
        : row,
    );
  const restored = await readAll();
  expect(restored).toEqual({ ...stored, monitor_settings: withoutTime(stored.monitor_settings) });
});

it.each([
  ['soon', '21-9', 60, '9-21'],
  ['5', '9-25', 60, '9-21'],
  ['99999', 'always', 60, '9-21'],
  ['3600', ' 07-24 ', 3600, '7-24'],
])('stored settings %j and %j become %d and %j', async (interval, hours, seconds, window) => {
  await migrateFileToLatest(file.path, before);
  await run(
    insertSetting('check_interval_seconds', interval),
    insertSetting('monitoring_hours', hours),
    'delete from monitor_state',
    // An audience that the product never wrote.
    insertAlert('alert', 'https://shop.example/'),
    insertDelivery('odd', 'alert', 'free', 'discord_webhook_url'),
  );
  await migrateFileToLatest(file.path, withWatches);
  expect(await read('select hours, interval_seconds, running from watches')).toEqual([
    { hours: window, interval_seconds: seconds, running: 0 },
  ]);
  expect(await read('select count(*) as rows from daemon_state')).toEqual([{ rows: 1 }]);
  expect(await read('select destination from alert_deliveries')).toEqual([
    { destination: 'discord_webhook_url' },
  ]);
});

it('the migration down deletes the other watches and keeps the first one', async () => {
  await migrateFileToLatest(file.path, withWatches);
  await run(
    `insert into watches (id, slug, shop, title, time_zone, hours, interval_seconds)
       values ('other', 'other', 'Other', 'Other', 'UTC', '0-24', 60)`,
    insertCheck('mine', FIRST),
    insertCheck('theirs', 'other'),
    // Alerts of the same page, which only two watches can have.
    insertAlert('mine', 'https://shop.example/', FIRST),
    insertAlert('theirs', 'https://shop.example/', 'other'),
    insertDelivery('mine', 'mine', 'instant', FIRST),
    insertDelivery('theirs', 'theirs', 'instant', 'other'),
    `insert into webhooks (watch_id, audience, sealed_url, updated_at) values ('other', 'instant', 'sealed:b', 'u')`,
  );
  await migrateFileDown(file.path, withWatches);
  for (const table of ['monitor_checks', 'alerts', 'alert_deliveries'])
    expect(await read(`select id from ${table}`)).toEqual([{ id: 'mine' }]);
  expect(await read(`select * from monitor_settings where setting_key like 'discord%'`)).toEqual([]);
  await migrateFileToLatest(file.path, withWatches);
});
