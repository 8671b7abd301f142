import { sql, SqliteAdapter, type Kysely } from 'kysely';
import { deflateSync, inflateSync } from 'node:zlib';

/** Every column of `monitor_checks` except the moved one. */
const KEPT_COLUMNS = [
  'id',
  'trigger',
  'started_at',
  'check_timestamp',
  'target_url',
  'final_url',
  'verdict',
  'strength',
  'reason',
  'queue_detected',
  'error_message',
  'response_time_ms',
  'http_status_code',
  'raw_response_length',
  'scrappey_status',
  'scrappey_request_id',
  'scrappey_calls',
  'proxy_used',
  'content_analysis',
  'response_headers',
  'alert_id',
  'alert_sent',
];

/** Bodies copied per step: 100 KB each. */
const STEP = 100;

/**
 * Moves the response bodies out of `monitor_checks`, compressed, so that history rows are small; adds one index for
 * the order of check lists and the monitor's chart; lets an alert record that it ended because another page is
 * monitored; and stores with each Discord message the webhook that can edit it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  await db.schema
    .createTable('check_bodies')
    .addColumn('check_id', 'text', (column) =>
      column.primaryKey().references('monitor_checks.id').onDelete('cascade'),
    )
    .addColumn('check_timestamp', 'text', (column) => column.notNull())
    .addColumn('deflated', isSqlite ? sql`blob` : sql`bytea`, (column) => column.notNull())
    .modifyEnd(isSqlite ? sql`strict` : sql``)
    .execute();
  let last = '';
  for (;;) {
    const { rows } = await sql<{ id: string; check_timestamp: string; raw_response: string }>`
      select id, check_timestamp, raw_response from monitor_checks
      where raw_response is not null and raw_response <> '' and id > ${last} order by id limit ${STEP}`.execute(
      db,
    );
    for (const { id, check_timestamp, raw_response } of rows) {
      await sql`insert into check_bodies (check_id, check_timestamp, deflated)
        values (${id}, ${check_timestamp}, ${deflateSync(raw_response)})`.execute(db);
    }
    const newest = rows.at(-1);
    if (newest === undefined) break;
    last = newest.id;
  }
  await db.schema
    .createIndex('check_bodies_check_timestamp')
    .on('check_bodies')
    .column('check_timestamp')
    .execute();
  await db.schema.dropIndex('monitor_checks_with_page').execute();
  await db.schema.alterTable('monitor_checks').dropColumn('raw_response').execute();

  await db.schema.dropIndex('monitor_checks_check_timestamp').execute();
  await db.schema
    .createIndex('monitor_checks_timeline')
    .on('monitor_checks')
    .columns(['check_timestamp', 'id', 'verdict', 'response_time_ms', 'scrappey_calls'])
    .execute();

  await db.schema
    .alterTable('alerts')
    .addColumn('close_reason', 'text', (column) => column.check(sql`close_reason in ('moved')`))
    .execute();
  await db.schema
    .createIndex('alerts_target_url')
    .on('alerts')
    .columns(['target_url', 'opened_at'])
    .execute();
  await db.schema.createIndex('alerts_status').on('alerts').columns(['status', 'opened_at']).execute();

  await db.schema.alterTable('alert_deliveries').addColumn('sealed_webhook', 'text').execute();
  // Messages that may still be edited were posted to the current webhook. The daemon seals clear text.
  await sql`
    update alert_deliveries set sealed_webhook = (
      select setting_value from monitor_settings where setting_key = alert_deliveries.destination)
    where channel = 'discord' and message_id is not null
      and alert_id in (select id from alerts where status <> 'closed')`.execute(db);
  await sql`create index alert_deliveries_with_webhook on alert_deliveries (updated_at) where sealed_webhook is not null`.execute(
    db,
  );
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('alert_deliveries_with_webhook').execute();
  await db.schema.alterTable('alert_deliveries').dropColumn('sealed_webhook').execute();
  await db.schema.dropIndex('alerts_status').execute();
  await db.schema.dropIndex('alerts_target_url').execute();
  await db.schema.alterTable('alerts').dropColumn('close_reason').execute();
  await db.schema.dropIndex('monitor_checks_timeline').execute();
  // A copy without the foreign key: dropping the checks would otherwise delete the bodies.
  await sql`create table check_bodies_before as select check_id, deflated from check_bodies`.execute(db);
  await db.schema.dropTable('check_bodies').execute();
  await db.schema
    .createIndex('check_bodies_before_id')
    .on('check_bodies_before')
    .column('check_id')
    .execute();
  await restoreRawResponse(db);
  let last = '';
  for (;;) {
    const { rows } = await sql<{ check_id: string; deflated: Buffer }>`
      select check_id, deflated from check_bodies_before where check_id > ${last} order by check_id limit ${STEP}`.execute(
      db,
    );
    for (const { check_id, deflated } of rows) {
      await sql`update monitor_checks set raw_response = ${inflateSync(deflated).toString('utf8')}
        where id = ${check_id}`.execute(db);
    }
    const newest = rows.at(-1);
    if (newest === undefined) break;
    last = newest.check_id;
  }
  await db.schema
    .createIndex('monitor_checks_check_timestamp')
    .on('monitor_checks')
    .column('check_timestamp')
    .execute();
  await sql`create index monitor_checks_with_page on monitor_checks (check_timestamp) where raw_response is not null`.execute(
    db,
  );
  await db.schema.dropTable('check_bodies_before').execute();
}

/**
 * Restores `raw_response` at its former position by recreating the table of the first migration; adding the column
 * would append it.
 */
async function restoreRawResponse(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  await db.schema
    .createTable('monitor_checks_before')
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
    .modifyEnd(isSqlite ? sql`strict` : sql``)
    .execute();
  const columns = sql.raw(KEPT_COLUMNS.map((column) => `"${column}"`).join(', '));
  await sql`insert into monitor_checks_before (${columns}) select ${columns} from monitor_checks`.execute(db);
  await db.schema.dropTable('monitor_checks').execute();
  await db.schema.alterTable('monitor_checks_before').renameTo('monitor_checks').execute();
}
