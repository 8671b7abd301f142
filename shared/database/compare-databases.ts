/** The differences between a table's rows in a backup and in the database that it replaces. */
export interface TableChange {
  /** A plural noun for the rows, for an operator. */
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

/** How the tables of the restored and of the replaced database are read, on one connection. */
export interface BothDatabases {
  /** The names of the schemas of the two. */
  restored: string;
  replaced: string;
  hasTable(schema: string, table: string): Promise<boolean>;
  /** The only value that a query returns. */
  readValue(query: string): Promise<unknown>;
}

/** Compares a restored database with the one that it replaces, by the ids of rows, in the tables that both have. */
export async function compareDatabases({
  restored,
  replaced,
  hasTable,
  readValue,
}: BothDatabases): Promise<TableChange[]> {
  const changes: TableChange[] = [];
  const countMissing = async (table: string, from: string, other: string): Promise<number> =>
    Number(
      await readValue(
        `select count(*) from ${from}.${table} a where not exists (select 1 from ${other}.${table} b where b.id = a.id)`,
      ),
    );
  const readNewest = async (table: string, time: string, schema: string): Promise<string | null> =>
    (await readValue(`select max(${time}) from ${schema}.${table}`)) as string | null;
  for (const [label, table, time] of TABLES) {
    if (!(await hasTable(restored, table)) || !(await hasTable(replaced, table))) continue;
    changes.push({
      label,
      lost: await countMissing(table, replaced, restored),
      back: await countMissing(table, restored, replaced),
      newestKept: await readNewest(table, time, restored),
      newestReplaced: await readNewest(table, time, replaced),
    });
  }
  return changes;
}
