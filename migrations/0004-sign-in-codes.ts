import { sql, type Kysely } from 'kysely';

/**
 * One live code per waiting sign-in instead of one per account; and the origin of each code request, so that
 * anonymous requests do not use up those of a proven sign-in.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['network_hash', 'browser_hash', 'proof']) {
    await db.schema.alterTable('code_requests').addColumn(column, 'text').execute();
  }
  await db.schema.alterTable('verification_codes').addColumn('proof', 'text').execute();

  await db.schema.dropIndex('verification_codes_one_live').execute();
  await sql`create unique index verification_codes_one_live_per_browser on verification_codes (user_id, browser_hash)
    where status = 'live' and browser_hash is not null`.execute(db);
  // Codes of API calls without cookies: one for proven sign-ins, and one for anonymous requests.
  await sql`create unique index verification_codes_one_live_per_call on verification_codes
    (user_id, (case when proof is null then 0 else 1 end))
    where status = 'live' and browser_hash is null`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('verification_codes_one_live_per_call').execute();
  await db.schema.dropIndex('verification_codes_one_live_per_browser').execute();
  // Keep the newest live code; of several from the same millisecond, any one.
  await sql`update verification_codes set status = 'replaced' where status = 'live' and exists (
    select 1 from verification_codes as newer
    where newer.user_id = verification_codes.user_id and newer.status = 'live'
      and (newer.created_at > verification_codes.created_at
        or (newer.created_at = verification_codes.created_at and newer.id > verification_codes.id)))`.execute(
    db,
  );
  await sql`create unique index verification_codes_one_live on verification_codes (user_id) where status = 'live'`.execute(
    db,
  );
  await db.schema.alterTable('verification_codes').dropColumn('proof').execute();
  for (const column of ['proof', 'browser_hash', 'network_hash']) {
    await db.schema.alterTable('code_requests').dropColumn(column).execute();
  }
}
