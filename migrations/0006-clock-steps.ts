import { sql, type Kysely } from 'kysely';

/** Records the last step of the wall clock by which the stored times were moved. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('monitor_state').addColumn('clock_step_at', 'text').execute();
  await db.schema
    .alterTable('monitor_state')
    .addColumn('clock_step_ms', 'integer', (column) => column.notNull().defaultTo(sql`0`))
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('monitor_state').dropColumn('clock_step_ms').execute();
  await db.schema.alterTable('monitor_state').dropColumn('clock_step_at').execute();
}
