import type Sqlite from 'better-sqlite3';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { openSqlite } from '#shared/database/sqlite/sqlite-database.server';

type Values = Record<string, string | number | Buffer | null>;

interface Column {
  name: string;
  type: string;
  pk: number;
}

/** Characters of one to four bytes, in a text that sorts differently by language than by code point. */
const TEXT = 'a Ä é Ω 漢字 😀 ’ \u0001 \n " \\ \u{10ffff}';
/** More than the pages of a copy hold together. */
const LONG_TEXT = TEXT.repeat(60_000);

const time = (index: number): string => new Date(1_795_000_000_000 + index).toISOString();

/** What the checks of a table want of several columns together; the others are filled by their types. */
const SPECIAL: Record<string, (index: number) => Values> = {
  users: (index) => ({
    email: `member-${index}@mail.example`,
    password_registration_id: null,
    beta_ever_requested: 1,
  }),
  alerts: (index) => ({ status: 'closed', watch_id: DEFAULT_WATCH_ID, ordinal: index }),
  alert_deliveries: (index) => ({
    alert_id: index % 2 === 0 ? `alerts-${index}` : null,
    notice_id: index % 2 === 0 ? null : `admin_notices-${index}`,
    status: 'sending',
  }),
  articles: (index) => ({ content: index === 0 ? LONG_TEXT : TEXT, published: 1 }),
  content_state: () => ({ id: 1 }),
  daemon_state: () => ({ id: 'daemon' }),
  data_exports: (index): Values =>
    index % 2 === 0
      ? { status: 'sending', upload_id: null }
      : { status: 'sent', claimed_by: null, claimed_until: null },
  discord_server: () => ({ id: 'server' }),
  mails: () => ({ status: 'sending' }),
  media: () => ({ width: null, height: null }),
  member_deliveries: (index) => ({
    status: 'sending',
    ...(index % 2 === 0 ? { announcement_id: null } : { alert_id: null }),
  }),
  member_roles: (index) => ({
    status: 'sending',
    ...(index % 2 === 0 ? { audience: 'watch' } : { audience: 'instant', role_id: '' }),
  }),
  monitor_checks: () => ({ watch_id: DEFAULT_WATCH_ID }),
  payment_account: () => ({ id: 1 }),
  payment_events: () => ({ status: 'sending' }),
  product_announcements: (index) =>
    index % 2 === 0
      ? { kind: 'price_drop', watch_id: `watches-${index}`, price_amount: 100, previous_amount: 200 }
      : {
          kind: index % 3 === 0 ? 'end' : 'release',
          watch_id: null,
          price_amount: null,
          previous_amount: null,
        },
  products: (index) => ({
    slug: `product-${index}`,
    gtin: String(10_000_000 + index),
    released_on: '2026-11-27',
  }),
  push_keys: () => ({ id: 'vapid' }),
  release_files: () => ({ file_size: 2 ** 31 }),
  release_uploads: () => ({ file_size: 2 ** 31 }),
  releases: () => ({ published: 1 }),
  subscription_packages: () => ({ price_pence: 999 }),
  // The ids are in another order than the entries, which refer to the ones before them.
  token_ledger: (index) => ({
    id: `entry-${9_999 - index}`,
    user_id: 'users-0',
    seq: index + 1,
    previous_seq: index === 0 ? null : index,
    kind: index === 0 ? 'purchase' : 'consume',
    tokens: index === 0 ? 5_000 : -1,
    balance_before: index === 0 ? 0 : 5_001 - index,
    balance_after: 5_000 - index,
  }),
  token_packages: () => ({ price_pence: 499 }),
  token_purchases: () => ({ amount_pence: 100 }),
  watch_roles: (index) => ({ role_id: `role-${index}` }),
  watches: (index) => ({ slug: `watch-${index}`, interval_seconds: 60, kind: 'product' }),
};

/** Tables that hold one row. */
const SINGLE = new Set(['content_state', 'daemon_state', 'discord_server', 'payment_account', 'push_keys']);

/** Fills every table of a migrated file with rows of all its columns; every third row has nulls where it may. */
export function fillEveryTable(file: string, rows: number): void {
  const sqlite = openSqlite(file);
  sqlite.pragma('foreign_keys = OFF');
  sqlite.exec('begin');
  for (const { name, sql } of sqlite
    .prepare<[], { name: string; sql: string }>(
      "select name, sql from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like 'kysely_%'",
    )
    .all())
    fillTable(sqlite, { name, definition: sql, rows: SINGLE.has(name) ? 1 : rows });
  sqlite.exec('commit');
  const broken = sqlite.pragma('foreign_key_check') as unknown[];
  sqlite.close();
  if (broken.length > 0) throw new Error(`broken foreign keys: ${JSON.stringify(broken.slice(0, 5))}`);
}

function fillTable(
  sqlite: Sqlite.Database,
  { name, definition, rows }: { name: string; definition: string; rows: number },
): void {
  const columns = sqlite.pragma(`table_info("${name}")`) as (Column & { notnull: number })[];
  const references = new Map(
    (sqlite.pragma(`foreign_key_list("${name}")`) as { from: string; table: string }[]).map((key) => [
      key.from,
      key.table,
    ]),
  );
  const choices = new Map(
    [...definition.matchAll(/\("?(\w+)"? in \(([^)]*)\)/g)].map(([, column = '', list = '']) => [
      column,
      list.split(', ').map((item) => (item.startsWith("'") ? item.slice(1, -1) : Number(item))),
    ]),
  );
  if (SINGLE.has(name)) sqlite.exec(`delete from "${name}"`);
  const names = columns.map((column) => `"${column.name}"`).join(', ');
  const insert = sqlite.prepare(
    `insert into "${name}" (${names}) values (${columns.map(() => '?').join(', ')})`,
  );
  for (let index = 0; index < rows; index += 1) {
    const special = SPECIAL[name]?.(index) ?? {};
    const valueOf = ({ name: column, type, pk, notnull }: (typeof columns)[number]) => {
      if (column in special) return special[column];
      const parent = references.get(column);
      const choice = choices.get(column);
      const isOptional = notnull === 0 && pk === 0 && !definition.includes(`${column} is not null`);
      if (isOptional && index % 3 === 2) return null;
      if (parent !== undefined) return `${parent}-${index}`;
      if (choice !== undefined) return choice[index % choice.length];
      if (/(?:^|_)currency$/.test(column)) return 'GBP';
      if (type === 'BLOB') return Buffer.from([0, 255, index % 256]);
      if (type === 'INTEGER') return 1 + (index % 2);
      if (column === 'id' && pk > 0) return `${name}-${index}`;
      if (/_(?:at|until|since|start|end)$|_timestamp$/.test(column)) return time(index);
      return `${TEXT} ${column} ${index}`;
    };
    insert.run(columns.map(valueOf));
  }
}
