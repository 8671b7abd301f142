import { sql, type Kysely } from 'kysely';

/** Replaces `alerts.close_reason`, because SQLite cannot change the check of a column. */
async function allowCloseReasons(db: Kysely<unknown>, reasons: readonly string[]): Promise<void> {
  const list = sql.join(reasons.map((reason) => sql.lit(reason)));
  await db.schema
    .alterTable('alerts')
    .addColumn('close_reason_new', 'text', (column) => column.check(sql`close_reason_new in (${list})`))
    .execute();
  await sql`update alerts set close_reason_new = close_reason where close_reason in (${list})`.execute(db);
  await db.schema.alterTable('alerts').dropColumn('close_reason').execute();
  await db.schema.alterTable('alerts').renameColumn('close_reason_new', 'close_reason').execute();
}

/** Alerts are ordered by a number that no clock can turn back, and can be closed because they were not seen any more. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await allowCloseReasons(db, ['moved', 'removed', 'not_seen']);
  await db.schema
    .alterTable('alerts')
    .addColumn('ordinal', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  // A live alert is the last one of its page, whatever a clock that was set back has written.
  await sql`update alerts set ordinal = (
      select count(*) from alerts as earlier
      where earlier.watch_id = alerts.watch_id and earlier.target_url = alerts.target_url and (
        (earlier.status = 'closed' and alerts.status <> 'closed')
        or ((earlier.status = 'closed') = (alerts.status = 'closed') and (
          earlier.opened_at < alerts.opened_at
          or (earlier.opened_at = alerts.opened_at and earlier.id <= alerts.id)))))`.execute(db);
  await db.schema
    .createIndex('alerts_in_order')
    .on('alerts')
    .columns(['watch_id', 'target_url', 'ordinal'])
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('alerts_in_order').execute();
  await db.schema.alterTable('alerts').dropColumn('ordinal').execute();
  await allowCloseReasons(db, ['moved', 'removed']);
}
