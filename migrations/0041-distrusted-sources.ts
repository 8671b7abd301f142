import type { Kysely } from 'kysely';

/** The sources of a retailer's pages that open no alert alone, because they were wrong too often. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('retailers').addColumn('distrusted_sources', 'text').execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('retailers').dropColumn('distrusted_sources').execute();
}
