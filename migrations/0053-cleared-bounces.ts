import type { Kysely } from 'kysely';

/** When the bounce of an address was cleared: what was refused before does not count any more. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('users').addColumn('mail_bounce_cleared_at', 'text').execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('users').dropColumn('mail_bounce_cleared_at').execute();
}
