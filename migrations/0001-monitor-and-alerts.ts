import { sql, SqliteAdapter, type Kysely } from 'kysely';

/** Tables of the monitor, its alerts, and the accounts that will own them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // SQLite checks column types only in strict tables; PostgreSQL always does and has no such keyword.
  const tableEnd = db.getExecutor().adapter instanceof SqliteAdapter ? sql`strict` : sql``;

  await db.schema
    .createTable('settings')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('description', 'text')
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();

  await db.schema
    .createTable('users')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('email', 'text', (column) =>
      column
        .notNull()
        .unique()
        .check(sql`email = lower(email)`),
    )
    .addColumn('email_verified_at', 'text')
    .addColumn('username', 'text', (column) => column.notNull())
    .addColumn('role', 'text', (column) =>
      column
        .notNull()
        .defaultTo('member')
        .check(sql`role in ('admin', 'member')`),
    )
    .addColumn('discord_id', 'text', (column) => column.unique())
    .addColumn('discord_username', 'text')
    .addColumn('discord_avatar', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();

  await db.schema
    .createTable('audit_log')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('actor_id', 'text', (column) => column.references('users.id').onDelete('set null'))
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('subject', 'text')
    .addColumn('details', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  await db.schema.createIndex('audit_log_created_at').on('audit_log').column('created_at').execute();

  await db.schema
    .createTable('monitor_settings')
    .addColumn('setting_key', 'text', (column) => column.primaryKey())
    .addColumn('setting_value', 'text', (column) => column.notNull())
    .addColumn('fault', 'text')
    .addColumn('fault_at', 'text')
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();

  await db.schema
    .createTable('monitor_state')
    .addColumn('id', 'text', (column) => column.primaryKey().check(sql`id = 'monitor'`))
    .addColumn('running', 'integer', (column) =>
      column
        .notNull()
        .defaultTo(0)
        .check(sql`running in (0, 1)`),
    )
    .addColumn('started_at', 'text')
    .addColumn('stopped_at', 'text')
    .addColumn('lease_owner', 'text')
    .addColumn('lease_until', 'text')
    .addColumn('lease_token', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('last_check_id', 'text')
    .addColumn('last_verdict', 'text', (column) =>
      column.check(sql`last_verdict in ('open', 'waiting_room', 'unknown')`),
    )
    .addColumn('last_checked_at', 'text')
    .addColumn('last_conclusive_at', 'text')
    .addColumn('opens_in_row', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('weak_since', 'text')
    .addColumn('recheck_due_at', 'text')
    .addColumn('refusals_in_row', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('not_before', 'text')
    .addColumn('silence_told_at', 'text')
    .addColumn('daemon_gone_told_at', 'text')
    .modifyEnd(tableEnd)
    .execute();
  await sql`insert into monitor_state (id) values ('monitor')`.execute(db);

  await db.schema
    .createTable('alerts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('target_url', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) =>
      column.notNull().check(sql`status in ('open', 'suspended', 'closed')`),
    )
    .addColumn('strength', 'text', (column) => column.notNull().check(sql`strength in ('strong', 'weak')`))
    .addColumn('opened_at', 'text', (column) => column.notNull())
    .addColumn('last_seen_at', 'text', (column) => column.notNull())
    .addColumn('closed_at', 'text')
    .addColumn('suspended_at', 'text')
    .addColumn('revision', 'integer', (column) => column.notNull().check(sql`revision >= 1`))
    .addColumn('opening_check_id', 'text', (column) => column.notNull())
    .addColumn('closing_check_id', 'text')
    .addCheckConstraint('alerts_closed_has_time', sql`(status = 'closed') = (closed_at is not null)`)
    .modifyEnd(tableEnd)
    .execute();
  // The database allows only one unclosed alert per page.
  await sql`create unique index alerts_one_live on alerts (target_url) where status <> 'closed'`.execute(db);
  await db.schema.createIndex('alerts_opened_at').on('alerts').column('opened_at').execute();

  await db.schema
    .createTable('monitor_checks')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('trigger', 'text', (column) =>
      column.notNull().check(sql`"trigger" in ('schedule', 'manual', 'confirm')`),
    )
    .addColumn('started_at', 'text', (column) => column.notNull())
    .addColumn('check_timestamp', 'text', (column) => column.notNull())
    .addColumn('target_url', 'text', (column) => column.notNull())
    .addColumn('final_url', 'text')
    .addColumn('verdict', 'text', (column) =>
      column.notNull().check(sql`verdict in ('open', 'waiting_room', 'unknown')`),
    )
    .addColumn('strength', 'text', (column) => column.check(sql`strength in ('strong', 'weak')`))
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('queue_detected', 'integer', (column) => column.notNull().check(sql`queue_detected in (0, 1)`))
    .addColumn('error_message', 'text')
    .addColumn('response_time_ms', 'integer', (column) => column.notNull().check(sql`response_time_ms >= 0`))
    .addColumn('http_status_code', 'integer')
    .addColumn('raw_response', 'text')
    .addColumn('raw_response_length', 'integer', (column) => column.notNull())
    .addColumn('scrappey_status', 'text', (column) =>
      column.notNull().check(sql`scrappey_status in ('success', 'error', 'disabled', 'other')`),
    )
    .addColumn('scrappey_request_id', 'text')
    .addColumn('scrappey_calls', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('proxy_used', 'text')
    .addColumn('content_analysis', 'text', (column) => column.notNull())
    .addColumn('response_headers', 'text', (column) => column.notNull())
    .addColumn('alert_id', 'text', (column) => column.references('alerts.id').onDelete('set null'))
    .addColumn('alert_sent', 'integer', (column) =>
      column
        .notNull()
        .defaultTo(0)
        .check(sql`alert_sent in (0, 1)`),
    )
    .modifyEnd(tableEnd)
    .execute();
  await db.schema
    .createIndex('monitor_checks_check_timestamp')
    .on('monitor_checks')
    .column('check_timestamp')
    .execute();
  // Retention reads only the rows that still hold a response body.
  await sql`create index monitor_checks_with_page on monitor_checks (check_timestamp) where raw_response is not null`.execute(
    db,
  );

  await db.schema
    .createTable('admin_notices')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) =>
      column
        .notNull()
        .check(
          sql`kind in ('silence_began', 'silence_ended', 'daemon_gone', 'daemon_back', 'delivery_failed', 'no_receiver')`,
        ),
    )
    .addColumn('dedupe_key', 'text', (column) => column.notNull().unique())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();

  await db.schema
    .createTable('alert_deliveries')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('alert_id', 'text', (column) => column.references('alerts.id').onDelete('cascade'))
    .addColumn('notice_id', 'text', (column) => column.references('admin_notices.id').onDelete('cascade'))
    .addColumn('audience', 'text', (column) =>
      column.notNull().check(sql`audience in ('instant', 'free', 'admin')`),
    )
    .addColumn('channel', 'text', (column) => column.notNull().check(sql`channel in ('discord', 'email')`))
    .addColumn('destination', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) =>
      column
        .notNull()
        .check(sql`status in ('pending', 'sending', 'sent', 'outdated', 'cancelled', 'expired', 'dead')`),
    )
    .addColumn('due_at', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('claimed_by', 'text')
    .addColumn('claimed_until', 'text')
    .addColumn('uncertain', 'integer', (column) =>
      column
        .notNull()
        .defaultTo(0)
        .check(sql`uncertain in (0, 1)`),
    )
    .addColumn('message_id', 'text')
    .addColumn('sent_revision', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('sent_at', 'text')
    .addColumn('response_ms', 'integer')
    .addColumn('last_status', 'integer')
    .addColumn('last_error', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addCheckConstraint('alert_deliveries_of_one_thing', sql`(alert_id is null) <> (notice_id is null)`)
    .addCheckConstraint(
      'alert_deliveries_claimed',
      sql`(status = 'sending') = (claimed_by is not null and claimed_until is not null)`,
    )
    .addUniqueConstraint('alert_deliveries_once_per_alert', [
      'alert_id',
      'audience',
      'channel',
      'destination',
    ])
    .addUniqueConstraint('alert_deliveries_once_per_notice', ['notice_id', 'channel', 'destination'])
    .modifyEnd(tableEnd)
    .execute();
  // The sweep runs every second, so it must read only unfinished rows.
  await sql`create index alert_deliveries_unfinished on alert_deliveries (due_at) where status in ('pending', 'sending', 'outdated')`.execute(
    db,
  );

  await db.schema
    .createTable('daemon_heartbeats')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('host', 'text', (column) => column.notNull())
    .addColumn('pid', 'integer', (column) => column.notNull())
    .addColumn('started_at', 'text', (column) => column.notNull())
    .addColumn('beat_at', 'text', (column) => column.notNull())
    .addColumn('stopped_at', 'text')
    .addColumn('redis_ok', 'integer', (column) => column.notNull().check(sql`redis_ok in (0, 1)`))
    .modifyEnd(tableEnd)
    .execute();
  await db.schema
    .createIndex('daemon_heartbeats_beat_at')
    .on('daemon_heartbeats')
    .column('beat_at')
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of [
    'daemon_heartbeats',
    'alert_deliveries',
    'admin_notices',
    'monitor_checks',
    'alerts',
    'monitor_state',
    'monitor_settings',
    'audit_log',
    'users',
    'settings',
  ]) {
    await db.schema.dropTable(table).execute();
  }
}
