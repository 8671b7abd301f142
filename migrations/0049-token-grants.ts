import { sql, SqliteAdapter, type Kysely, type RawBuilder } from 'kysely';

const OLD_KINDS = ['purchase', 'consume', 'refund', 'dispute', 'dispute_won'];
const NEW_KINDS = [...OLD_KINDS, 'grant'];
const COLUMNS = sql`id, user_id, seq, previous_seq, kind, tokens, balance_before, balance_after, task_id, purchase_id,
  source_id, created_at`;

const kindIn = (kinds: readonly string[]) => sql`kind in (${sql.join(kinds.map((kind) => sql.lit(kind)))})`;

const OLD_SOURCE = sql`kind = 'consume' or (purchase_id is not null and source_id is not null)`;
/** A grant has no purchase; what it takes back is there. */
const NEW_SOURCE = sql`case kind when 'consume' then 1 = 1
  when 'grant' then source_id is not null and (tokens > 0 or balance_after >= 0)
  else purchase_id is not null and source_id is not null end`;

/** SQLite cannot change the checks of a table, so it is replaced, with its indexes and triggers. */
async function replaceLedger(
  db: Kysely<unknown>,
  kinds: readonly string[],
  source: RawBuilder<unknown>,
): Promise<void> {
  await sql`create table new_token_ledger (
    id text primary key,
    user_id text not null references users (id) on delete restrict,
    seq integer not null check (seq >= 1),
    previous_seq integer,
    kind text not null check (${kindIn(kinds)}),
    tokens integer not null check (tokens <> 0),
    balance_before integer not null,
    balance_after integer not null,
    task_id text,
    purchase_id text references token_purchases (id),
    source_id text,
    created_at text not null,
    constraint token_ledger_order unique (user_id, seq),
    constraint token_ledger_balances unique (user_id, seq, balance_after),
    constraint token_ledger_chain foreign key (user_id, previous_seq, balance_before)
      references new_token_ledger (user_id, seq, balance_after),
    constraint token_ledger_sum check (balance_after = balance_before + tokens),
    constraint token_ledger_first check ((seq = 1 and previous_seq is null and balance_before = 0)
      or (seq > 1 and previous_seq is not null and previous_seq = seq - 1)),
    constraint token_ledger_consume check (kind <> 'consume'
      or (tokens < 0 and balance_after >= 0 and task_id is not null)),
    constraint token_ledger_source check (${source})
  ) strict`.execute(db);
  await sql`insert into new_token_ledger (${COLUMNS}) select ${COLUMNS} from token_ledger order by user_id, seq`.execute(
    db,
  );
  await sql`drop table token_ledger`.execute(db);
  await sql`alter table new_token_ledger rename to token_ledger`.execute(db);
  await sql`create unique index token_ledger_one_per_task on token_ledger (user_id, task_id) where kind = 'consume'`.execute(
    db,
  );
  await sql`create unique index token_ledger_one_per_source on token_ledger (source_id) where source_id is not null`.execute(
    db,
  );
  await sql`create trigger token_ledger_no_update before update on token_ledger
    begin select raise(abort, 'the token ledger is append-only'); end`.execute(db);
  await sql`create trigger token_ledger_no_delete before delete on token_ledger
    begin select raise(abort, 'the token ledger is append-only'); end`.execute(db);
}

async function changeChecks(
  db: Kysely<unknown>,
  kinds: readonly string[],
  source: RawBuilder<unknown>,
): Promise<void> {
  if (db.getExecutor().adapter instanceof SqliteAdapter) return replaceLedger(db, kinds, source);
  await sql`alter table token_ledger drop constraint token_ledger_kind_check`.execute(db);
  await sql`alter table token_ledger add constraint token_ledger_kind_check check (${kindIn(kinds)})`.execute(
    db,
  );
  await sql`alter table token_ledger drop constraint token_ledger_source`.execute(db);
  await sql`alter table token_ledger add constraint token_ledger_source check (${source})`.execute(db);
}

/** Tokens that admins grant and take back. Their reasons are beside the ledger, whose rows can never be deleted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await changeChecks(db, NEW_KINDS, NEW_SOURCE);
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  await db.schema
    .createTable('token_grants')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('tokens', 'integer', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('granted_by', 'text', (column) => column.references('users.id').onDelete('set null'))
    .addColumn('created_at', 'text', (column) => column.notNull())
    // SQLite checks column types only in strict tables; PostgreSQL always does and has no such keyword.
    .modifyEnd(isSqlite ? sql`strict` : sql``)
    .execute();
  await db.schema
    .createIndex('token_grants_of_user')
    .on('token_grants')
    .columns(['user_id', 'created_at'])
    .execute();
}

/** Refuses while there are grants: rows after them are made of their balances. */
export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('token_grants').execute();
  await changeChecks(db, OLD_KINDS, OLD_SOURCE);
}
