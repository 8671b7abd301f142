import { pino } from 'pino';
import { sql } from 'kysely';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { DAY, HOUR, MINUTE, toIso } from '#shared/clock';
import type { Schema } from '#shared/database/schema';
import { newId } from '#shared/ids';
import { createDiskStorage } from '#shared/storage/disk-storage.server';
import { formatPeriod } from '~/routes/site/legal/legal-pages.server';
import { createHousekeeping } from '../../../daemon/housekeeping';
import { createTestDatabase, type TestDatabase } from '../database';

type Table = keyof Schema;
type Values = Record<string, string | number | null>;

/** A kind of rows that housekeeping deletes, `kept` milliseconds after the time that the guide names. */
interface Ending {
  kept: number;
  /** Creates a row of this kind. `at`: the time that ends it. `parent`: the row of `parent` below. */
  row?: (at: string, parent: string) => Values;
  parent?: { table: Table; row: (at: string) => Values };
  /** If the row itself holds the time of its end. */
  holdsEnd?: true;
}

/** How long the rows of every table live: a table without an entry does not compile. */
const LIVES: Record<Table, readonly Ending[] | 'account' | 'alert' | 'written' | 'fixed'> = {
  code_requests: [{ kept: HOUR }],
  page_previews: [{ kept: HOUR }],
  verification_codes: [{ kept: DAY }],
  proxy_assignments: [{ kept: DAY, row: (at) => ({ closed_at: at }) }],
  release_uploads: [{ kept: DAY, row: () => ({ kind: 'resumable' }) }],
  release_upload_locks: [
    {
      kept: DAY,
      row: (_at, parent) => ({ upload_id: parent }),
      parent: { table: 'release_uploads', row: () => ({ kind: 'resumable', version: 'locked' }) },
    },
  ],
  uploads: [{ kept: DAY, row: () => ({ status: 'pending', kind: 'media' }) }],
  member_deliveries: [
    {
      kept: 3 * DAY,
      row: (_at, parent) => ({ alert_id: parent, channel: 'email', status: 'sent' }),
      parent: { table: 'alerts', row: (at) => ({ status: 'closed', closed_at: at }) },
    },
    { kept: 90 * DAY, row: () => ({ channel: 'push', status: 'sent' }) },
  ],
  product_announcements: [
    {
      kept: 3 * DAY,
      row: () => ({ kind: 'release', beside_restock: 0, fan_out_status: 'done' }),
    },
  ],
  mails: [{ kept: 7 * DAY, row: () => ({ status: 'sent' }) }],
  member_roles: [{ kept: 7 * DAY, row: () => ({ status: 'sent' }) }],
  check_bodies: [{ kept: 7 * DAY }],
  daemon_heartbeats: [{ kept: 7 * DAY }],
  sessions: [{ kept: 30 * DAY, holdsEnd: true }],
  data_exports: [{ kept: 30 * DAY, row: () => ({ status: 'cancelled' }) }],
  used_challenges: [{ kept: 5 * MINUTE, holdsEnd: true }],
  product_suggestions: [{ kept: 30 * DAY, row: (at) => ({ dismissed_at: at }) }],
  plan_quotes: [{ kept: 30 * DAY, row: () => ({ status: 'used' }) }],
  release_download_starts: [{ kept: 30 * DAY }],
  users: [{ kept: 30 * DAY }],
  admin_notices: [{ kept: 90 * DAY }],
  check_counts: [
    { kept: 2 * DAY, row: () => ({ span: 'hour' }) },
    { kept: 91 * DAY, row: () => ({ span: 'day' }) },
  ],
  ended_push_subscriptions: [{ kept: 90 * DAY }],
  monitor_checks: [{ kept: 90 * DAY }],
  payment_events: [
    { kept: 90 * DAY, row: () => ({ status: 'sent' }) },
    { kept: 365 * DAY, row: () => ({ status: 'dead' }) },
  ],
  audit_log: [{ kept: 365 * DAY }],
  passkeys: 'account',
  payment_customers: 'account',
  product_follows: 'account',
  push_subscriptions: 'account',
  release_downloads: 'account',
  subscription_invoices: 'account',
  subscription_reversals: 'account',
  subscriptions: 'account',
  token_grants: 'account',
  token_ledger: 'account',
  token_purchases: 'account',
  alert_deliveries: 'alert',
  alerts: 'alert',
  member_delivery_sums: 'alert',
  offer_runs: 'alert',
  articles: 'written',
  judge_cases: 'written',
  media: 'written',
  monitor_settings: 'written',
  release_files: 'written',
  products: 'written',
  releases: 'written',
  retailer_webhooks: 'written',
  retailers: 'written',
  settings: 'written',
  subscription_packages: 'written',
  token_packages: 'written',
  watch_roles: 'written',
  watches: 'written',
  webhooks: 'written',
  content_state: 'fixed',
  daemon_state: 'fixed',
  discord_server: 'fixed',
  hosts: 'fixed',
  payment_account: 'fixed',
  payment_faults: 'fixed',
  push_keys: 'fixed',
};

const TABLES = Object.keys(LIVES).toSorted() as Table[];
const endingsOf = (table: Table): readonly Ending[] => (typeof LIVES[table] === 'string' ? [] : LIVES[table]);
const NOW = Date.now();

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.cleanup());

let inserted = 0;
/** Inserts a row with these values and with anything in the other columns that need one: in each time, `at`. Returns its rowid. */
async function insert(table: Table, at: string, row: Values): Promise<number> {
  inserted += 1;
  const { rows: columns } = await sql<{
    name: string;
    type: string;
    pk: number;
    notnull: number;
    dflt_value: string | null;
  }>`pragma table_info(${sql.lit(table)})`.execute(database.db);
  const values: Record<string, unknown> = { ...row };
  for (const { name, type, pk, notnull, dflt_value: fallback } of columns) {
    if (name in values || fallback !== null || (notnull === 0 && pk === 0)) continue;
    if (type === 'BLOB') values[name] = Buffer.of(1);
    else if (type === 'INTEGER') values[name] = inserted;
    else if (name === 'watch_id') values[name] = DEFAULT_WATCH_ID;
    else values[name] = /_at$|_timestamp$/.test(name) ? at : newId();
  }
  await database.db
    .insertInto(table)
    .values(values as never)
    .execute();
  const { rows } = await sql<{ rowid: number }>`select last_insert_rowid() as rowid`.execute(database.db);
  return rows[0]?.rowid ?? 0;
}

test('the guide says of every table how long its rows live, and in figures when they end', async () => {
  const { rows } = await sql<{ name: string }>`select name from sqlite_master where type = 'table'
    and name not like 'sqlite_%' and name not like 'kysely_%' order by name`.execute(database.db);
  expect(rows.map(({ name }) => name)).toEqual(TABLES);
  const guide = readFileSync('docs/operating.md', 'utf8').split('## Disk space')[1]?.split('\n## ')[0] ?? '';
  const stated = new Map<string, string[]>();
  for (const [, tables = '', life = ''] of guide.matchAll(/^\| ([^|]*`[^|]*) \| ([^|]+) \|$/gm))
    for (const [, table = ''] of tables.matchAll(/`(\w+)`/g))
      stated.set(table, [...(stated.get(table) ?? []), life]);
  expect([...stated.keys()].toSorted()).toEqual(TABLES);
  for (const table of TABLES)
    for (const { kept } of endingsOf(table))
      expect([table, stated.get(table)]).toEqual([
        table,
        expect.arrayContaining([expect.stringContaining(formatPeriod(kept))]),
      ]);
});

test('rows end when the guide says, and leave no free pages in the file', async () => {
  const { db } = database;
  await sql`pragma foreign_keys = off`.execute(db);
  await sql`pragma ignore_check_constraints = on`.execute(db);
  const over: string[] = [];
  const kept: string[] = [];
  for (const table of TABLES)
    for (const { kept: lifeMs, row, parent, holdsEnd = false } of endingsOf(table))
      for (const late of [MINUTE, -MINUTE]) {
        const at = toIso(NOW - (holdsEnd ? 0 : lifeMs) - late);
        const parentId = `${table} ${late}`;
        if (parent !== undefined) await insert(parent.table, at, { id: parentId, ...parent.row(at) });
        const rowid = await insert(table, at, row?.(at, parentId) ?? {});
        (late > 0 ? over : kept).push(`${table} ${rowid}`);
      }
  await sql`pragma ignore_check_constraints = off`.execute(db);
  await sql`pragma foreign_keys = on`.execute(db);

  const storage = createDiskStorage(database.folder);
  const unused = null as never;
  const housekeeping = createHousekeeping({
    db,
    clock: { now: () => NOW },
    logger: pino({ level: 'silent' }),
    storage,
    releaseStorage: storage,
    payments: unused,
    guild: null,
    keyring: unused,
    adminContacts: { emails: [] },
  });
  await housekeeping.uploads();
  await housekeeping.retention();

  const left = new Set<string>();
  for (const table of TABLES) {
    const { rows } = await sql<{ rowid: number }>`select rowid from ${sql.table(table)}`.execute(db);
    for (const { rowid } of rows) left.add(`${table} ${rowid}`);
  }
  expect({ over: over.filter((row) => left.has(row)), lost: kept.filter((row) => !left.has(row)) }).toEqual({
    over: [],
    lost: [],
  });
  const { rows } = await sql<{ freelist_count: number }>`pragma freelist_count`.execute(db);
  expect(rows).toEqual([{ freelist_count: 0 }]);
});
