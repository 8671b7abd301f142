import { sql, type Insertable } from 'kysely';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY, toIso } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import { openSqliteDatabase } from '#shared/database/sqlite/sqlite-database.server';
import { migrateFileToLatest } from '#shared/database/sqlite/migrator.server';
import type { Schema } from '#shared/database/schema';
import { newId, newOrderedId } from '#shared/ids';
import { migrations } from '../../migrations/all-migrations';

const ROWS = 5_000;
const ROWS_PER_INSERT = 50;
const NOW = toIso(Date.now());
/** A restock is announced some times a day; a member has the address and two browsers. */
const ALERTS_PER_DAY = 5;
const BROWSERS = 2;
/** Tasks of the desktop app that take tokens. */
const TASKS_PER_YEAR = 100;
/** Deliveries of alerts are kept for three days after the alert closed. */
const DELIVERY_DAYS = 3;

type Table = keyof Schema;
type Rows = { [T in Table]?: (index: number) => Insertable<Schema[T]> };

const user = (index: number): string => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;

/** A typical row of each table that grows with the members. */
const TYPICAL: Rows = {
  users: (index) => ({
    id: user(index),
    email: `member-${index}@mail.example`,
    username: `member-${index}`,
    created_at: NOW,
    updated_at: NOW,
  }),
  sessions: (index) => ({
    id: newId(),
    user_id: user(index),
    browser_session_id: null,
    token_hash: newId().repeat(2).slice(0, 64),
    user_agent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    created_at: NOW,
    last_seen_at: NOW,
    expires_at: NOW,
  }),
  push_subscriptions: (index) => ({
    id: newId(),
    user_id: user(index),
    endpoint: `https://push.example/send/${newId().repeat(4)}`,
    p256dh: 'B'.repeat(87),
    auth: 'a'.repeat(22),
    user_agent: null,
    created_at: NOW,
  }),
  member_deliveries: (index) => ({
    id: newOrderedId(Date.now() + index),
    alert_id: user(0),
    user_id: user(index),
    channel: index % 3 === 0 ? 'email' : 'push',
    target: newId(),
    status: 'sent',
    due_at: NOW,
    expires_at: NOW,
    attempts: 1,
    sent_at: NOW,
    last_status: 201,
    created_at: NOW,
    updated_at: NOW,
  }),
  mails: (index) => ({
    id: newId(),
    recipient: `member-${index}@mail.example`,
    template: 'subscription_paid',
    data: 'x'.repeat(300),
    status: 'sent',
    due_at: NOW,
    expires_at: NOW,
    created_at: NOW,
    updated_at: NOW,
  }),
  token_ledger: (index) => ({
    id: newId(),
    user_id: user(index % 100),
    seq: 2 + Math.floor(index / 100),
    previous_seq: 1 + Math.floor(index / 100),
    kind: 'consume',
    tokens: -1,
    balance_before: 1_000 - Math.floor(index / 100),
    balance_after: 999 - Math.floor(index / 100),
    task_id: newId(),
    created_at: NOW,
  }),
  audit_log: (index) => ({
    id: newId(),
    actor_id: user(index),
    action: 'session.sign_in',
    subject: user(index),
    details: JSON.stringify({ method: 'code' }),
    created_at: NOW,
  }),
};

async function pagesOf(db: Database): Promise<number> {
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db);
  return rows[0]?.page_count ?? 0;
}

async function bytesPerRow<T extends Table>(
  db: Database,
  table: T,
  rowOf: (index: number) => unknown,
): Promise<number> {
  const before = await pagesOf(db);
  for (let from = 0; from < ROWS; from += ROWS_PER_INSERT) {
    const rows = Array.from({ length: ROWS_PER_INSERT }, (_unused, index) => rowOf(from + index));
    await db
      .insertInto(table)
      .values(rows as never)
      .execute();
  }
  return Math.round((((await pagesOf(db)) - before) * 4_096) / ROWS);
}

/** Measures what a row of each table that grows with the members takes, indexes included, and adds it up. */
export async function measureDiskSpace(): Promise<{ lines: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'packwatch-disk-'));
  const file = join(folder, 'packwatch.db');
  await migrateFileToLatest(file, migrations);
  const db = openSqliteDatabase(file);
  try {
    await sql`pragma foreign_keys = off`.execute(db);
    const bytes: Record<string, number> = {};
    for (const [table, rowOf] of Object.entries(TYPICAL))
      bytes[table] = await bytesPerRow(db, table as Table, rowOf as (index: number) => unknown);
    const of = (table: keyof typeof TYPICAL): number => bytes[table] ?? 0;
    const account = of('users') + 2 * of('sessions') + BROWSERS * of('push_subscriptions');
    const deliveries = ALERTS_PER_DAY * (DELIVERY_DAYS + 1) * (1 + BROWSERS) * of('member_deliveries');
    // A sign-in a week for a year, and a mail a month for a week.
    const records = 52 * of('audit_log') + of('mails');
    const ledger = TASKS_PER_YEAR * of('token_ledger');
    const megabytes = (members: number, each: number): string =>
      `${Math.round((members * each) / 1024 ** 2)} MB`;
    return {
      lines: [
        `Disk space, bytes per row with indexes: ${Object.entries(bytes)
          .map(([table, each]) => `${table} ${each}`)
          .join(', ')}.`,
        ...[1_000, 10_000].map(
          (members) =>
            `${members} members: accounts ${megabytes(members, account)}, deliveries of ${DELIVERY_DAYS + 1} days ${megabytes(members, deliveries)} (${megabytes(members, ((deliveries / (DELIVERY_DAYS + 1)) * (90 * DAY)) / DAY)} if kept for 90), records ${megabytes(members, records)}, token ledger of a year ${megabytes(members, ledger)}.`,
        ),
      ],
    };
  } finally {
    await db.destroy();
    rmSync(folder, { recursive: true, force: true });
  }
}
