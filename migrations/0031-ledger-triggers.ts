import { sql, SqliteAdapter, type Kysely } from 'kysely';

const REFUSE = 'token_ledger_append_only';

/** PostgreSQL refuses changes of the token ledger, too. SQLite has had its triggers since the ledger exists. */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (db.getExecutor().adapter instanceof SqliteAdapter) return;
  await sql`create function ${sql.ref(REFUSE)}() returns trigger language plpgsql as $$
    begin
      raise exception 'the token ledger is append-only' using errcode = 'integrity_constraint_violation';
    end $$`.execute(db);
  await sql`create trigger token_ledger_no_change before update or delete on token_ledger
    for each row execute function ${sql.ref(REFUSE)}()`.execute(db);
  await sql`create trigger token_ledger_no_truncate before truncate on token_ledger
    for each statement execute function ${sql.ref(REFUSE)}()`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  if (db.getExecutor().adapter instanceof SqliteAdapter) return;
  await sql`drop trigger token_ledger_no_change on token_ledger`.execute(db);
  await sql`drop trigger token_ledger_no_truncate on token_ledger`.execute(db);
  await sql`drop function ${sql.ref(REFUSE)}()`.execute(db);
}
