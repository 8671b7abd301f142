import { sql, type Kysely } from 'kysely';

const TABLES = ['mails', 'member_deliveries'] as const;

/** Messages that were sent and got no answer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of TABLES)
    await db.schema
      .alterTable(table)
      .addColumn('uncertain', 'integer', (column) =>
        column
          .notNull()
          .defaultTo(0)
          .check(sql`uncertain in (0, 1)`),
      )
      .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of TABLES) await db.schema.alterTable(table).dropColumn('uncertain').execute();
}
