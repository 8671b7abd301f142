import type { Kysely } from 'kysely';

/** Finds the newest run of all offers: the version by which the pages of products are cached. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('offer_runs_by_time').on('offer_runs').column('first_seen_at').execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('offer_runs_by_time').execute();
}
