import { sql, SqliteAdapter, type Kysely } from 'kysely';

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

/**
 * Alerts to each member by mail and web push, deleted watches, handled deliveries, and counts of checks for the public
 * status.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  // SQLite checks column types only in strict tables; PostgreSQL always does and has no such keyword.
  const tableEnd = isSqlite ? sql`strict` : sql``;

  await db.schema.alterTable('watches').addColumn('deleted_at', 'text').execute();
  await allowCloseReasons(db, ['moved', 'removed']);
  await db.schema
    .alterTable('alerts')
    .addColumn('fan_out_status', 'text', (column) =>
      column
        .notNull()
        .defaultTo('done')
        .check(sql`fan_out_status in ('pending', 'done')`),
    )
    .execute();
  await db.schema.alterTable('alerts').addColumn('fan_out_at', 'text').execute();
  await db.schema.alterTable('alerts').addColumn('fan_out_after', 'text').execute();
  // The sweep runs every second, so it must read only the alerts whose members are not listed yet.
  await sql`create index alerts_fan_out on alerts (opened_at) where fan_out_status = 'pending'`.execute(db);
  // The public status lists the newest alerts of all watches.
  await db.schema.createIndex('alerts_by_time').on('alerts').column('opened_at').execute();

  await db.schema.alterTable('alert_deliveries').addColumn('handled_at', 'text').execute();

  await db.schema.alterTable('users').addColumn('mail_bounced_at', 'text').execute();
  await db.schema.alterTable('users').addColumn('mail_bounce_reason', 'text').execute();

  await db.schema
    .createTable('push_subscriptions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('endpoint', 'text', (column) => column.notNull().unique())
    .addColumn('p256dh', 'text', (column) => column.notNull())
    .addColumn('auth', 'text', (column) => column.notNull())
    .addColumn('user_agent', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  await db.schema
    .createIndex('push_subscriptions_of_user')
    .on('push_subscriptions')
    .columns(['user_id', 'created_at'])
    .execute();

  await db.schema
    .createTable('push_keys')
    .addColumn('id', 'text', (column) => column.primaryKey().check(sql`id = 'vapid'`))
    .addColumn('public_key', 'text', (column) => column.notNull())
    .addColumn('sealed_private_key', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();

  await db.schema
    .createTable('member_deliveries')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('alert_id', 'text', (column) => column.references('alerts.id').onDelete('cascade'))
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('channel', 'text', (column) => column.notNull().check(sql`channel in ('email', 'push')`))
    .addColumn('target', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) =>
      column.notNull().check(sql`status in ('pending', 'sending', 'sent', 'cancelled', 'expired', 'dead')`),
    )
    .addColumn('due_at', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('claimed_by', 'text')
    .addColumn('claimed_until', 'text')
    .addColumn('sent_at', 'text')
    .addColumn('last_status', 'integer')
    .addColumn('last_error', 'text')
    .addColumn('handled_at', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addCheckConstraint(
      'member_deliveries_claimed',
      sql`(status = 'sending') = (claimed_by is not null and claimed_until is not null)`,
    )
    // The fan-out adds rows in the order of the users, so that they fill the pages of the index in order.
    .addUniqueConstraint('member_deliveries_once_per_alert', ['alert_id', 'channel', 'user_id', 'target'])
    .modifyEnd(tableEnd)
    .execute();
  await sql`create index member_deliveries_unfinished on member_deliveries (channel, due_at) where status in ('pending', 'sending')`.execute(
    db,
  );
  await db.schema
    .createIndex('member_deliveries_by_result')
    .on('member_deliveries')
    .columns(['alert_id', 'channel', 'status', 'handled_at'])
    .execute();
  await db.schema
    .createIndex('member_deliveries_of_user')
    .on('member_deliveries')
    .columns(['user_id', 'created_at'])
    .execute();

  await db.schema
    .createTable('check_counts')
    .addColumn('watch_id', 'text', (column) => column.notNull().references('watches.id').onDelete('cascade'))
    .addColumn('span', 'text', (column) => column.notNull().check(sql`span in ('hour', 'day')`))
    .addColumn('starts_at', 'text', (column) => column.notNull())
    .addColumn('total', 'integer', (column) => column.notNull())
    .addColumn('conclusive', 'integer', (column) => column.notNull().check(sql`conclusive <= total`))
    .addColumn('scrappey_calls', 'integer', (column) => column.notNull().defaultTo(0))
    .addPrimaryKeyConstraint('check_counts_key', ['watch_id', 'span', 'starts_at'])
    .modifyEnd(tableEnd)
    .execute();
  // ISO texts of UTC: the first 10 characters are the day, the first 13 the hour.
  for (const [span, length, rest] of [
    ['hour', 13, ':00:00.000Z'],
    ['day', 10, 'T00:00:00.000Z'],
  ] as const)
    await sql`insert into check_counts (watch_id, span, starts_at, total, conclusive, scrappey_calls)
      select watch_id, ${sql.lit(span)}, substr(check_timestamp, 1, ${sql.lit(length)}) || ${sql.lit(rest)}, count(*),
        sum(case when verdict = 'unknown' then 0 else 1 end), sum(scrappey_calls)
      from monitor_checks where watch_id in (select id from watches)
      group by 1, 3`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of ['check_counts', 'member_deliveries', 'push_keys', 'push_subscriptions'])
    await db.schema.dropTable(table).execute();
  await db.schema.alterTable('users').dropColumn('mail_bounce_reason').execute();
  await db.schema.alterTable('users').dropColumn('mail_bounced_at').execute();
  await db.schema.alterTable('alert_deliveries').dropColumn('handled_at').execute();
  await db.schema.dropIndex('alerts_by_time').execute();
  await db.schema.dropIndex('alerts_fan_out').execute();
  await db.schema.alterTable('alerts').dropColumn('fan_out_after').execute();
  await db.schema.alterTable('alerts').dropColumn('fan_out_at').execute();
  await db.schema.alterTable('alerts').dropColumn('fan_out_status').execute();
  await allowCloseReasons(db, ['moved']);
  await db.schema.alterTable('watches').dropColumn('deleted_at').execute();
}
