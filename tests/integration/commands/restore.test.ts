import Sqlite from 'better-sqlite3';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { MINUTE, toIso } from '#shared/clock';
import { readConfig } from '#shared/config.server';
import { openSqliteDatabase } from '#shared/database/sqlite/sqlite-database.server';
import { migrateFileDown } from '#shared/database/sqlite/migrator.server';
import { sealWebhook } from '#shared/alerts/webhooks/webhook-seal.server';
import { newId } from '#shared/ids';
import { openKeyring } from '#shared/secrets.server';
import { startDaemon } from '../../../daemon/daemon';
import { tool as backup } from '../../../daemon/cli/backup';
import { tool as restore } from '../../../daemon/cli/restore';
import type { Tool } from '../../../daemon/cli/terminal';
import { migrations } from '../../../migrations/all-migrations';
import { storeCheck } from '../alerts/finished-check';

let folder: string;
let file: string;
let environment: Record<string, string>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'packwatch-restore-'));
  file = join(folder, 'packwatch.db');
  copyFileSync(inject('templateDatabase'), file);
  environment = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    APP_URL: 'https://packwatch.test',
    DATA_DIR: folder,
    SESSION_SECRET: 'the secret of the time of the backup',
    REDIS_URL: inject('redisUrl'),
  };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function withDatabase<T>(work: (db: ReturnType<typeof openSqliteDatabase>) => Promise<T>): Promise<T> {
  const db = openSqliteDatabase(file);
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

async function run(tool: Tool, ...args: string[]) {
  const { code, stdout, stderr } = await tool([...args, '--json'], environment);
  return { code, stderr, json: JSON.parse(stdout) as Record<string, unknown> };
}

const addUser = (email: string) =>
  withDatabase((db) =>
    db
      .insertInto('users')
      .values({
        id: newId(),
        email,
        username: email,
        created_at: toIso(Date.now()),
        updated_at: toIso(Date.now()),
      } as never)
      .execute(),
  );
const emails = () =>
  withDatabase(async (db) =>
    (await db.selectFrom('users').select('email').execute()).map(({ email }) => email),
  );

test('a backup is restored: what is newer is named, what it replaces is kept, and the daemon starts with it', async () => {
  const copy = join(folder, 'copy.db');
  await addUser('before@packwatch.test');
  await withDatabase(async (db) => {
    const sealed_url = sealWebhook(
      openKeyring(readConfig(environment)),
      'https://discord.com/api/webhooks/1/a',
    );
    const row = {
      watch_id: DEFAULT_WATCH_ID,
      audience: 'admin' as const,
      sealed_url,
      updated_at: toIso(Date.now()),
    };
    await db
      .insertInto('webhooks')
      .values({ ...row, state: 'trusted' })
      .execute();
  });
  expect(await run(backup, copy)).toMatchObject({ code: 0, json: { success: true, backup: copy } });
  expect(readdirSync(folder).filter((name) => name.startsWith('copy.db'))).toEqual(['copy.db']);

  await addUser('after@packwatch.test');
  await withDatabase(async (db) => {
    await db.deleteFrom('users').where('email', '=', 'before@packwatch.test').execute();
    await storeCheck(db, { now: () => Date.now() - MINUTE });
  });
  environment.SESSION_SECRET = 'another secret, as long as the first one';

  const restored = await run(restore, copy);
  expect(restored).toMatchObject({
    code: 0,
    stderr: '',
    json: { success: true, migrated: [], unreadable: [`the admin webhook of ${DEFAULT_WATCH_ID}`] },
  });
  const changes = restored.json.changes as {
    label: string;
    lost: number;
    back: number;
    newestReplaced: string;
  }[];
  expect(changes.filter(({ lost, back }) => lost + back > 0)).toMatchObject([
    { label: 'checks', lost: 1, back: 0, newestKept: null },
    { label: 'accounts', lost: 1, back: 1 },
  ]);
  const next = (restored.json.next as string[]).join('\n');
  for (const step of ['SESSION_SECRET does not open', 'payments -- adopt', '/uploads', 'are back: 1'])
    expect(next).toContain(step);
  expect(await emails()).toEqual(['before@packwatch.test']);

  const kept = new Sqlite(restored.json.replaced as string, { readonly: true });
  expect(kept.prepare('select email from users').pluck().all()).toEqual(['after@packwatch.test']);
  kept.close();

  const config = readConfig(environment);
  const daemon = await startDaemon({
    config: { ...config, redisUrl: inject('redisUrl'), daemon: { ...config.daemon, port: 0 } },
    logger: pino({ level: 'silent' }),
    prefix: `test-${newId()}`,
  });
  try {
    // While it runs, the database is in use.
    expect(await run(restore, copy)).toMatchObject({ code: 1, json: { code: 'database_in_use' } });
  } finally {
    await daemon.stop();
  }
  expect(await emails()).toEqual(['before@packwatch.test']);
  expect(readdirSync(folder).filter((name) => name.includes('restoring'))).toEqual([]);
});

test('a backup of an older release is migrated, also in the place of a database that is gone or damaged', async () => {
  const copy = join(folder, 'older.db');
  copyFileSync(file, copy);
  const [last = ''] = (await migrateFileDown(copy, migrations, { backUp: false })).ran;
  for (const present of ['gone', 'damaged'] as const) {
    if (present === 'gone') rmSync(file);
    else {
      writeFileSync(file, 'a letter '.repeat(1_000));
      writeFileSync(`${file}-wal`, 'the rest of it');
    }
    const restored = await run(restore, copy);
    expect(restored).toMatchObject({ code: 0, json: { success: true, migrated: [last], changes: [] } });
    const { replaced, damage } = restored.json;
    if (present === 'gone') expect([replaced, damage]).toEqual([null, null]);
    else {
      expect(damage).toMatch(/not a database/);
      expect(existsSync(String(replaced)) && existsSync(`${String(replaced)}-wal`)).toBe(true);
    }
    expect(await emails()).toEqual([]);
  }
});

test('what cannot be restored changes nothing, and is refused in a sentence', async () => {
  const at = (name: string): string => join(folder, name);
  writeFileSync(at('letter.db'), 'This is a letter. '.repeat(100));
  new Sqlite(at('other.db')).exec('create table notes (id text)').close();
  copyFileSync(file, at('newer.db'));
  new Sqlite(at('newer.db'))
    .exec("insert into kysely_migration (name, timestamp) values ('9999-later', '')")
    .close();
  copyFileSync(file, at('damaged.db'));
  // A page in the middle, as a failing disk leaves it.
  writeSync(openSync(at('damaged.db'), 'r+'), Buffer.alloc(16_384, 7), 0, 16_384, 65_536);
  const before = readdirSync(folder).sort();
  for (const [name, code] of [
    ['letter.db', 'not_a_database'],
    ['other.db', 'not_our_database'],
    ['newer.db', 'backup_newer'],
    ['damaged.db', 'backup_damaged'],
  ] as const) {
    const answer = await run(restore, at(name));
    expect(answer).toMatchObject({ code: 1, json: { success: false, code } });
    expect(answer.json.message).toMatch(/Nothing was changed\.$/);
  }
  for (const name of ['missing.db', 'packwatch.db'])
    expect(await run(restore, at(name))).toMatchObject({ code: 2, json: { code: 'wrong_use' } });
  expect(readdirSync(folder).sort()).toEqual(before);
  expect(await emails()).toEqual([]);
});
