import type { Kysely } from 'kysely';

/** When the member pressed the button that pays. Older pending purchases have none until their payment is read again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('token_purchases').addColumn('submitted_at', 'text').execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('token_purchases').dropColumn('submitted_at').execute();
}
