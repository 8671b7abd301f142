import { sql, SqliteAdapter, type Kysely } from 'kysely';

/** The roles of members on Discord: an outbox, and what the last comparison with the server found. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const tableEnd = db.getExecutor().adapter instanceof SqliteAdapter ? sql`strict` : sql``;
  await db.schema
    .createTable('member_roles')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('discord_id', 'text', (column) => column.notNull())
    .addColumn('audience', 'text', (column) => column.notNull().check(sql`audience in ('instant', 'free')`))
    .addColumn('again', 'integer', (column) =>
      column
        .notNull()
        .defaultTo(0)
        .check(sql`again in (0, 1)`),
    )
    .addColumn('found', 'text', (column) =>
      column
        .notNull()
        .defaultTo('unknown')
        .check(sql`found in ('unknown', 'held', 'missing', 'absent', 'banned')`),
    )
    .addColumn('found_at', 'text')
    .addColumn('recheck_at', 'text')
    .addColumn('difference', 'text', (column) => column.check(sql`difference in ('add', 'remove')`))
    .addColumn('status', 'text', (column) =>
      column.notNull().check(sql`status in ('pending', 'sending', 'sent', 'cancelled', 'expired', 'dead')`),
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
    .addColumn('sent_at', 'text')
    .addColumn('last_status', 'integer')
    .addColumn('last_error', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addUniqueConstraint('member_roles_of_account', ['discord_id', 'audience'])
    .addCheckConstraint(
      'member_roles_claimed',
      sql`(status = 'sending') = (claimed_by is not null and claimed_until is not null)`,
    )
    .modifyEnd(tableEnd)
    .execute();
  await sql`create index member_roles_unfinished on member_roles (due_at) where status in ('pending', 'sending')`.execute(
    db,
  );
  // The sweep reads it every second.
  await sql`create index member_roles_recheck on member_roles (recheck_at) where recheck_at is not null`.execute(
    db,
  );
  await sql`create index member_roles_differences on member_roles (discord_id) where difference is not null`.execute(
    db,
  );
  await db.schema
    .createTable('discord_server')
    .addColumn('id', 'text', (column) => column.primaryKey().check(sql`id = 'server'`))
    .addColumn('name', 'text')
    .addColumn('fault', 'text')
    .addColumn('compared_at', 'text', (column) => column.notNull())
    .addColumn('known_members', 'integer', (column) => column.notNull().defaultTo(0))
    .modifyEnd(tableEnd)
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('discord_server').execute();
  await db.schema.dropTable('member_roles').execute();
}
