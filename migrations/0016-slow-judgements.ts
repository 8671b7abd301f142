import type { Kysely } from 'kysely';

/** Notes a slow judgement in its watch until it ends. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('watches').addColumn('judging_page', 'text').execute();
  await db.schema.alterTable('watches').addColumn('judging_since', 'text').execute();
  await db.schema
    .alterTable('watches')
    .addColumn('judgings_unended', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const column of ['judgings_unended', 'judging_since', 'judging_page'])
    await db.schema.alterTable('watches').dropColumn(column).execute();
}
