import Sqlite from 'better-sqlite3';

/** How the rows of a table in a backup differ from those of the database that it replaces. */
export interface TableChange {
  /** What the rows are, in the plural, for an operator. */
  label: string;
  /** Rows that the backup lacks. */
  lost: number;
  /** Rows that were deleted since and are back. */
  back: number;
  /** The time of the newest row (ISO), in the backup and in the replaced database; null if there is none. */
  newestKept: string | null;
  newestReplaced: string | null;
}

/** The tables whose loss people notice, with the column of the time at which a row was added. */
const TABLES = [
  ['checks', 'monitor_checks', 'check_timestamp'],
  ['alerts', 'alerts', 'opened_at'],
  ['accounts', 'users', 'created_at'],
  ['memberships', 'subscriptions', 'created_at'],
  ['purchases of tokens', 'token_purchases', 'created_at'],
  ['entries of the token ledger', 'token_ledger', 'created_at'],
  ['events of Stripe', 'payment_events', 'created_at'],
  ['browsers with push', 'push_subscriptions', 'created_at'],
  ['articles', 'articles', 'created_at'],
  ['images and videos', 'media', 'created_at'],
  ['releases', 'releases', 'created_at'],
  ['entries of the audit log', 'audit_log', 'created_at'],
] as const;

/** Compares a restored database with the one that it replaces, by the ids of rows, in the tables that both have. */
export function compareDatabases(restored: string, replaced: string): TableChange[] {
  const sqlite = new Sqlite(restored, { fileMustExist: true });
  try {
    sqlite.prepare('attach ? as replaced').run(replaced);
    const hasTable = (schema: 'main' | 'replaced', name: string): boolean =>
      sqlite.prepare(`select 1 from ${schema}.sqlite_master where type = 'table' and name = ?`).get(name) !==
      undefined;
    const read = (query: string): unknown => sqlite.prepare(query).pluck().get();
    const countMissing = (from: string, other: string): number =>
      read(`select count(*) from ${from} where id not in (select id from ${other})`) as number;
    return TABLES.filter(([, table]) => hasTable('main', table) && hasTable('replaced', table)).map(
      ([label, table, time]) => ({
        label,
        lost: countMissing(`replaced.${table}`, `main.${table}`),
        back: countMissing(`main.${table}`, `replaced.${table}`),
        newestKept: read(`select max(${time}) from main.${table}`) as string | null,
        newestReplaced: read(`select max(${time}) from replaced.${table}`) as string | null,
      }),
    );
  } finally {
    sqlite.close();
  }
}
