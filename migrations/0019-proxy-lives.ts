import { sql, type Kysely } from 'kysely';

/**
 * A proxy is open until its task takes its tokens, or for a day. Rows of earlier releases are closed: their tasks have
 * taken their tokens, or ran before open proxies cost anything.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('proxy_assignments')
    .addColumn('ordinal', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema.alterTable('proxy_assignments').addColumn('closed_at', 'text').execute();
  await sql`update proxy_assignments set closed_at = created_at`.execute(db);
  await sql`create index proxy_assignments_open on proxy_assignments (created_at) where closed_at is null`.execute(
    db,
  );
  await sql`create index proxy_assignments_open_of_user on proxy_assignments (user_id) where closed_at is null`.execute(
    db,
  );
  await db.schema
    .createIndex('proxy_assignments_in_order')
    .on('proxy_assignments')
    .columns(['user_id', 'ordinal'])
    .execute();
  await sql`create index proxy_assignments_closed on proxy_assignments (closed_at) where closed_at is not null`.execute(
    db,
  );
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const index of ['closed', 'in_order', 'open_of_user', 'open'])
    await db.schema.dropIndex(`proxy_assignments_${index}`).execute();
  await db.schema.alterTable('proxy_assignments').dropColumn('closed_at').execute();
  await db.schema.alterTable('proxy_assignments').dropColumn('ordinal').execute();
}
