import { sql, SqliteAdapter, type Kysely } from 'kysely';

/** The watch to which all rows from before this migration belong. */
const FIRST_WATCH = 'pokemon-center-uk';

/** The setting that held the webhook of each audience. */
const WEBHOOK_SETTINGS = [
  ['instant', 'discord_webhook_url'],
  ['free', 'discord_webhook_url_free'],
  ['admin', 'discord_webhook_url_admin'],
] as const;

/** The state columns of a watch, copied from `monitor_state`. */
const MEMORY = [
  'running',
  'started_at',
  'stopped_at',
  'lease_owner',
  'lease_until',
  'lease_token',
  'last_check_id',
  'last_verdict',
  'last_checked_at',
  'last_conclusive_at',
  'opens_in_row',
  'weak_since',
  'recheck_due_at',
  'refusals_in_row',
  'not_before',
];

/** `monitor_state`, as the sixth migration left it. */
const STATE = [...MEMORY, 'silence_told_at', 'daemon_gone_told_at', 'clock_step_at', 'clock_step_ms'];

const names = (columns: readonly string[]) => sql.raw(columns.map((column) => `"${column}"`).join(', '));

function tableEnd(db: Kysely<unknown>) {
  return db.getExecutor().adapter instanceof SqliteAdapter ? sql`strict` : sql``;
}

async function readSetting(db: Kysely<unknown>, key: string): Promise<string | undefined> {
  const { rows } = await sql<{ setting_value: string }>`
    select setting_value from monitor_settings where setting_key = ${key}`.execute(db);
  return rows[0]?.setting_value;
}

/** The stored interval, or the default for an invalid text. */
function readInterval(text = ''): number {
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  return seconds >= 15 && seconds <= 3600 ? seconds : 60;
}

/** The stored hours, or the default for an invalid text. */
function readHours(text = ''): string {
  const match = /^(\d{1,2})-(\d{1,2})$/.exec(text.trim());
  const [from, to] = [Number(match?.[1]), Number(match?.[2])];
  return from < to && to <= 24 ? `${from}-${to}` : '9-21';
}

/**
 * Several watches: `watches` replaces the single row of `monitor_state`, `webhooks` replaces three settings, and
 * checks and alerts refer to their watch. Existing rows belong to the first watch. Checks get their column by a
 * default, so that a large history is not rewritten; in SQLite a column with such a default cannot have a foreign key
 * (sqlite.org/lang_altertable.html, "ALTER TABLE ADD COLUMN").
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('watches')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('slug', 'text', (column) =>
      column
        .notNull()
        .unique()
        .check(sql`slug = lower(slug) and slug <> ''`),
    )
    .addColumn('shop', 'text', (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('url', 'text')
    .addColumn('time_zone', 'text', (column) => column.notNull())
    .addColumn('hours', 'text', (column) => column.notNull())
    .addColumn('interval_seconds', 'integer', (column) =>
      column.notNull().check(sql`interval_seconds between 15 and 3600`),
    )
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
    .addColumn('silence_notified_at', 'text')
    .modifyEnd(tableEnd(db))
    .execute();
  const interval = readInterval(await readSetting(db, 'check_interval_seconds'));
  const hours = readHours(await readSetting(db, 'monitoring_hours'));
  await sql`insert into watches (id, slug, shop, title, time_zone, hours, interval_seconds)
    values (${FIRST_WATCH}, ${FIRST_WATCH}, 'Pokemon Center UK', 'Pokemon Center UK', 'Europe/London', ${hours}, ${interval})`.execute(
    db,
  );
  await sql`update watches set (${names([...MEMORY, 'silence_notified_at'])}) =
    (select ${names([...MEMORY, 'silence_told_at'])} from monitor_state where id = 'monitor')
    where exists (select 1 from monitor_state where id = 'monitor')`.execute(db);

  // The state of the daemons and their machine, which belongs to no watch.
  await db.schema
    .createTable('daemon_state')
    .addColumn('id', 'text', (column) => column.primaryKey().check(sql`id = 'daemon'`))
    .addColumn('gone_notified_at', 'text')
    .addColumn('clock_step_at', 'text')
    .addColumn('clock_step_ms', 'integer', (column) => column.notNull().defaultTo(0))
    .modifyEnd(tableEnd(db))
    .execute();
  await sql`insert into daemon_state (id) values ('daemon')`.execute(db);
  await sql`update daemon_state set (gone_notified_at, clock_step_at, clock_step_ms) =
    (select daemon_gone_told_at, clock_step_at, clock_step_ms from monitor_state where id = 'monitor')
    where exists (select 1 from monitor_state where id = 'monitor')`.execute(db);
  await db.schema.dropTable('monitor_state').execute();

  await db.schema
    .createTable('webhooks')
    .addColumn('watch_id', 'text', (column) => column.notNull().references('watches.id').onDelete('cascade'))
    .addColumn('audience', 'text', (column) =>
      column.notNull().check(sql`audience in ('instant', 'free', 'admin')`),
    )
    .addColumn('sealed_url', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) =>
      column
        .notNull()
        .defaultTo('trusted')
        .check(sql`state in ('trusted', 'rejected')`),
    )
    .addColumn('last_fault', 'text')
    .addColumn('last_fault_at', 'text')
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('webhooks_of_watch', ['watch_id', 'audience'])
    .addCheckConstraint('webhooks_rejected_has_fault', sql`state = 'trusted' or last_fault is not null`)
    .modifyEnd(tableEnd(db))
    .execute();
  for (const [audience, key] of WEBHOOK_SETTINGS) {
    await sql`insert into webhooks (watch_id, audience, sealed_url, state, last_fault, last_fault_at, updated_at)
      select ${FIRST_WATCH}, ${audience}, setting_value, case when fault is null then 'trusted' else 'rejected' end,
        fault, fault_at, updated_at
      from monitor_settings where setting_key = ${key}`.execute(db);
    await sql`update alert_deliveries set destination = ${FIRST_WATCH}
      where channel = 'discord' and audience = ${audience} and destination = ${key}`.execute(db);
    await sql`delete from monitor_settings where setting_key = ${key}`.execute(db);
  }
  await sql`delete from monitor_settings where setting_key in ('check_interval_seconds', 'monitoring_hours')`.execute(
    db,
  );
  await db.schema.alterTable('monitor_settings').dropColumn('fault').execute();
  await db.schema.alterTable('monitor_settings').dropColumn('fault_at').execute();

  for (const table of ['monitor_checks', 'alerts'])
    await db.schema
      .alterTable(table)
      .addColumn('watch_id', 'text', (column) => column.notNull().defaultTo(FIRST_WATCH))
      .execute();
  await db.schema.dropIndex('monitor_checks_timeline').execute();
  await db.schema
    .createIndex('monitor_checks_timeline')
    .on('monitor_checks')
    .columns(['watch_id', 'check_timestamp', 'id', 'verdict', 'response_time_ms', 'scrappey_calls'])
    .execute();
  await db.schema.dropIndex('alerts_one_live').execute();
  await sql`create unique index alerts_one_live on alerts (watch_id, target_url) where status <> 'closed'`.execute(
    db,
  );
  await db.schema.dropIndex('alerts_target_url').execute();
  await db.schema
    .createIndex('alerts_target_url')
    .on('alerts')
    .columns(['watch_id', 'target_url', 'opened_at'])
    .execute();
  await db.schema.dropIndex('alerts_opened_at').execute();
  await db.schema.createIndex('alerts_opened_at').on('alerts').columns(['watch_id', 'opened_at']).execute();
}

/** Keeps only the first watch: the older schema has a single watch. */
export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`delete from monitor_checks where watch_id <> ${FIRST_WATCH}`.execute(db);
  await sql`delete from alerts where watch_id <> ${FIRST_WATCH}`.execute(db);
  await db.schema.dropIndex('alerts_opened_at').execute();
  await db.schema.dropIndex('alerts_target_url').execute();
  await db.schema.dropIndex('alerts_one_live').execute();
  await db.schema.dropIndex('monitor_checks_timeline').execute();
  for (const table of ['monitor_checks', 'alerts'])
    await db.schema.alterTable(table).dropColumn('watch_id').execute();
  await db.schema.createIndex('alerts_opened_at').on('alerts').column('opened_at').execute();
  await db.schema
    .createIndex('alerts_target_url')
    .on('alerts')
    .columns(['target_url', 'opened_at'])
    .execute();
  await sql`create unique index alerts_one_live on alerts (target_url) where status <> 'closed'`.execute(db);
  await db.schema
    .createIndex('monitor_checks_timeline')
    .on('monitor_checks')
    .columns(['check_timestamp', 'id', 'verdict', 'response_time_ms', 'scrappey_calls'])
    .execute();

  await restoreSettings(db);
  await restoreState(db);
  await db.schema.dropTable('webhooks').execute();
  await db.schema.dropTable('daemon_state').execute();
  await db.schema.dropTable('watches').execute();
}

/** Recreates the table of the first migration, because added columns would come last. */
async function restoreSettings(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('monitor_settings_before')
    .addColumn('setting_key', 'text', (column) => column.primaryKey())
    .addColumn('setting_value', 'text', (column) => column.notNull())
    .addColumn('fault', 'text')
    .addColumn('fault_at', 'text')
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .modifyEnd(tableEnd(db))
    .execute();
  await sql`insert into monitor_settings_before (setting_key, setting_value, updated_at)
    select setting_key, setting_value, updated_at from monitor_settings`.execute(db);
  await sql`insert into monitor_settings_before (setting_key, setting_value, updated_at)
    select 'monitoring_hours', hours, '' from watches where id = ${FIRST_WATCH}
    union all select 'check_interval_seconds', cast(interval_seconds as text), '' from watches where id = ${FIRST_WATCH}`.execute(
    db,
  );
  for (const [audience, key] of WEBHOOK_SETTINGS) {
    await sql`insert into monitor_settings_before (setting_key, setting_value, fault, fault_at, updated_at)
      select ${key}, sealed_url, case when state = 'rejected' then last_fault end,
        case when state = 'rejected' then last_fault_at end, updated_at
      from webhooks where watch_id = ${FIRST_WATCH} and audience = ${audience}`.execute(db);
    await sql`update alert_deliveries set destination = ${key}
      where channel = 'discord' and audience = ${audience}`.execute(db);
  }
  await db.schema.dropTable('monitor_settings').execute();
  await db.schema.alterTable('monitor_settings_before').renameTo('monitor_settings').execute();
}

async function restoreState(db: Kysely<unknown>): Promise<void> {
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
    .addColumn('clock_step_at', 'text')
    .addColumn('clock_step_ms', 'integer', (column) => column.notNull().defaultTo(0))
    .modifyEnd(tableEnd(db))
    .execute();
  const kept = [...MEMORY, 'silence_notified_at', 'gone_notified_at', 'clock_step_at', 'clock_step_ms'];
  await sql`insert into monitor_state (id, ${names(STATE)})
    select 'monitor', ${sql.raw(kept.join(', '))} from watches, daemon_state
    where watches.id = ${FIRST_WATCH}`.execute(db);
}
