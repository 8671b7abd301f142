import type { Kysely } from 'kysely';

/**
 * Tells the attempts to post a message from its edits: `posted_at_attempt` is the attempt that posted it, null for
 * messages that were posted before; `edits` counts the edits that Discord accepted.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('alert_deliveries').addColumn('posted_at_attempt', 'integer').execute();
  await db.schema
    .alterTable('alert_deliveries')
    .addColumn('edits', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('alert_deliveries').dropColumn('edits').execute();
  await db.schema.alterTable('alert_deliveries').dropColumn('posted_at_attempt').execute();
}
