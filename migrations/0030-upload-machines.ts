import type { Kysely } from 'kysely';

/** The machine that holds the bytes of a resumable upload. Uploads of earlier releases have none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('release_uploads').addColumn('machine', 'text').execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('release_uploads').dropColumn('machine').execute();
}
