import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DAY, MINUTE } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import { openSqlite } from '#shared/database/sqlite/sqlite-database.server';
import { copyDatabase } from '#shared/database/sqlite/copy-database.server';
import { MAX_BACKUPS } from '#shared/database/sqlite/migration-backups.server';
import { migrateFileDown, migrateFileToLatest } from '#shared/database/sqlite/migrator.server';
import { findCheck, listChecks } from '#shared/monitor/checks/reading/checks';
import { applyRetention } from '#shared/monitor/retention';
import { migrations } from '../../../migrations/all-migrations';
import { databaseFile } from '../database-file';
import { storeCheck } from '../alerts/finished-check';

const NOW = Date.parse('2027-06-15T12:00:00.000Z');
const STORAGE = '0007-monitor-storage';
const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < STORAGE));
const clock = { now: () => NOW };
const file = databaseFile();

const modeOf = (path: string): number => statSync(path).mode & 0o777;

/** A file as releases before `auto_vacuum` created it. */
function createOldFile(): void {
  const sqlite = new Sqlite(file.path);
  sqlite.exec('create table first (id text); drop table first');
  expect(sqlite.pragma('auto_vacuum', { simple: true })).toBe(0);
  sqlite.close();
}

/** A check as releases before the storage migration wrote it. */
function insertOldCheck(db: Database, id: string, rawResponse: string | null): Promise<unknown> {
  return sql`insert into monitor_checks (id, "trigger", started_at, check_timestamp, target_url, verdict, reason,
      queue_detected, response_time_ms, raw_response, raw_response_length, scrappey_status, content_analysis,
      response_headers)
    values (${id}, 'schedule', '2027-06-15T11:00:00.000Z', '2027-06-15T11:00:00.000Z', 'https://shop.example/', 'open',
      'a shop', 0, 10, ${rawResponse}, ${rawResponse?.length ?? 9}, 'disabled', '{}', '{}')`.execute(db);
}

describe('the storage migration', () => {
  it('keeps the pages of checks, up and down', async () => {
    await migrateFileToLatest(file.path, before);
    const page = `<h1>Pokémon 🎴</h1>${'x'.repeat(150_000)}`;
    await file.open(async (db) => {
      await insertOldCheck(db, 'seen', page);
      await insertOldCheck(db, 'cleared', null);
      await insertOldCheck(db, 'empty', '');
      for (let index = 0; index < 230; index += 1) await insertOldCheck(db, `more-${index}`, `page ${index}`);
    });
    await migrateFileToLatest(file.path, migrations);
    await file.open(async (db) => {
      const bodies = await Promise.all(
        ['seen', 'cleared', 'empty', 'more-229'].map((id) => findCheck(db, id)),
      );
      expect(bodies.map((check) => check?.raw_response)).toEqual([page, null, '', 'page 229']);
      expect((await listChecks(db, { hours: 2, clock })).checks).toHaveLength(233);
    });
    for (const name of Object.keys(migrations).reverse())
      if (name >= STORAGE) expect((await migrateFileDown(file.path, migrations)).ran).toEqual([name]);
    await file.open(async (db) => {
      const { rows } = await sql<{ id: string; raw_response: string | null }>`
        select id, raw_response from monitor_checks where id in ('seen', 'cleared', 'more-7') order by id`.execute(
        db,
      );
      expect(rows).toEqual([
        { id: 'cleared', raw_response: null },
        { id: 'more-7', raw_response: 'page 7' },
        { id: 'seen', raw_response: page },
      ]);
    });
  });

  it('stores the webhook of messages that may still be edited', async () => {
    await migrateFileToLatest(file.path, before);
    await file.open(async (db) => {
      await sql`insert into monitor_settings (setting_key, setting_value, updated_at)
        values ('discord_webhook_url', 'https://discord.com/api/webhooks/1/a', 't')`.execute(db);
      for (const [id, status] of [
        ['live', 'suspended'],
        ['past', 'closed'],
      ] as const) {
        await sql`insert into alerts (id, target_url, status, strength, opened_at, last_seen_at, closed_at, revision, opening_check_id)
          values (${id}, ${`https://${id}.example/`}, ${status}, 'strong', 't', 't', ${status === 'closed' ? 't' : null}, 1, 'c')`.execute(
          db,
        );
        await sql`insert into alert_deliveries (id, alert_id, audience, channel, destination, status, due_at, expires_at,
            message_id, sent_at, created_at, updated_at)
          values (${id}, ${id}, 'instant', 'discord', 'discord_webhook_url', 'sent', 't', 't', '1', 't', 't', 't')`.execute(
          db,
        );
      }
    });
    await migrateFileToLatest(file.path, migrations);
    const rows = await file.open((db) =>
      db.selectFrom('alert_deliveries').select(['id', 'sealed_webhook']).orderBy('id').execute(),
    );
    expect(rows).toEqual([
      { id: 'live', sealed_webhook: 'https://discord.com/api/webhooks/1/a' },
      { id: 'past', sealed_webhook: null },
    ]);
  });
});

describe('the database file', () => {
  it('is readable by its owner only, with its WAL files and its backups', async () => {
    await migrateFileToLatest(file.path, migrations);
    await file.open(async (db) => {
      await storeCheck(db, clock);
      for (const name of [file.path, `${file.path}-wal`, `${file.path}-shm`])
        expect([name, modeOf(name)]).toEqual([name, 0o600]);
    });
    const copy = join(file.folder, 'copy.db');
    await copyDatabase(file.path, copy);
    expect(modeOf(copy)).toBe(0o600);
  });

  it('gets owner-only permissions when an earlier release left it readable by others', async () => {
    await migrateFileToLatest(file.path, migrations);
    const open = openSqlite(file.path);
    open.exec("insert into settings (key, value, updated_at) values ('a', 'b', 't')");
    const names = [file.path, `${file.path}-wal`, `${file.path}-shm`];
    for (const name of names) chmodSync(name, 0o644);
    await file.open(async () => {
      for (const name of names) expect([name, modeOf(name)]).toEqual([name, 0o600]);
    });
    open.close();
  });

  it('frees the space of deleted rows, also when an earlier release created it', async () => {
    createOldFile();
    await migrateFileToLatest(file.path, before);
    await file.open(async (db) => {
      for (let index = 0; index < 20; index += 1) await insertOldCheck(db, `old-${index}`, null);
    });
    expect(await migrateFileToLatest(file.path, migrations)).not.toHaveProperty('vacuumFault');
    await file.open(async (db) => {
      const noise = Array.from({ length: 120_000 }, (_unused, index) =>
        String.fromCharCode(33 + ((index * 7919) % 90)),
      );
      for (let index = 0; index < 60; index += 1) {
        const body = noise.map((letter, at) => (Math.random() < 0.5 ? letter : String(at % 7))).join('');
        await storeCheck(db, { now: () => NOW - 8 * DAY + index * MINUTE }, { body });
      }
      await sql`pragma wal_checkpoint(truncate)`.execute(db);
      const full = statSync(file.path).size;
      await applyRetention(db, NOW);
      await sql`pragma wal_checkpoint(truncate)`.execute(db);
      expect(statSync(file.path).size).toBeLessThan(full / 3);
      expect((await sql<{ freelist_count: number }>`pragma freelist_count`.execute(db)).rows).toEqual([
        { freelist_count: 0 },
      ]);
      expect((await listChecks(db, { hours: 720, clock })).checks).toHaveLength(80);
    });
  });
});

describe('backups before migrations', () => {
  const copies = (): string[] => readdirSync(join(file.folder, 'backups')).sort();
  const step = (number: number) => ({ [`${9000 + number}-step`]: { up: () => Promise.resolve() } });

  it(`are limited to the newest ${MAX_BACKUPS}, and other files are kept`, async () => {
    let all = { ...migrations };
    await migrateFileToLatest(file.path, all);
    mkdirSync(join(file.folder, 'backups'));
    await copyDatabase(file.path, join(file.folder, 'backups', 'by-hand.db'));
    const times = Array.from({ length: MAX_BACKUPS + 3 }, (_unused, day) => new Date(NOW + day * DAY));
    for (const [number, time] of times.entries()) {
      all = { ...all, ...step(number) };
      const { backup } = await migrateFileToLatest(file.path, all, { now: time });
      expect(modeOf(backup ?? '')).toBe(0o600);
    }
    expect(copies()).toEqual([
      'by-hand.db',
      ...times
        .slice(-MAX_BACKUPS)
        .map((time) => `packwatch.db.before-migration.${time.toISOString().replace(/[:.]/g, '-')}`),
    ]);
  });

  it('do not accumulate when a migration fails repeatedly', async () => {
    await migrateFileToLatest(file.path, migrations);
    const broken = { ...migrations, '9999-broken': { up: () => Promise.reject(new Error('half-way')) } };
    for (const day of [1, 2, 3])
      await expect(
        migrateFileToLatest(file.path, broken, { now: new Date(NOW + day * DAY) }),
      ).rejects.toThrow('half-way');
    expect(copies()).toEqual([]);
  });
});

it('bodies are stored compressed', async () => {
  await migrateFileToLatest(file.path, migrations);
  await file.open(async (db) => {
    const products = Array.from(
      { length: 2_000 },
      (_unused, number) =>
        `<li class="product"><a href="/p/${number}">Box ${number}</a> £${(number * 7) % 90}.99</li>`,
    );
    const page = products.join('\n').replaceAll('£', 'GBP ');
    const id = await storeCheck(db, clock, { body: page });
    const { deflated } = await db.selectFrom('check_bodies').selectAll().executeTakeFirstOrThrow();
    expect(deflated.length).toBeLessThan(page.length / 4);
    expect((await findCheck(db, id))?.raw_response).toBe(page.slice(0, 102_400));
  });
});
