import type { Kysely } from 'kysely';

/** What each daemon found when it last wrote to Redis, so that every process can say it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('daemon_heartbeats').addColumn('redis_fault', 'text').execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('daemon_heartbeats').dropColumn('redis_fault').execute();
}
