import { sql, SqliteAdapter, type Kysely } from 'kysely';

const COLUMNS = sql`id, discord_id, audience, again, found, found_at, recheck_at, difference, status, due_at, expires_at,
  attempts, claimed_by, claimed_until, uncertain, sent_at, last_status, last_error, created_at, updated_at`;

const isSqlite = (db: Kysely<unknown>): boolean => db.getExecutor().adapter instanceof SqliteAdapter;

/** SQLite cannot change the checks of a table, so it is replaced, with its indexes. */
async function replaceMemberRoles(db: Kysely<unknown>, ofWatches: boolean): Promise<void> {
  await sql`create table new_member_roles (
    id text not null primary key,
    discord_id text not null,
    audience text not null check (audience in (${ofWatches ? sql`'instant', 'free', 'watch'` : sql`'instant', 'free'`})),
    ${ofWatches ? sql`role_id text not null default '' check (audience = 'watch' or role_id = ''),` : sql``}
    again integer not null default 0 check (again in (0, 1)),
    found text not null default 'unknown' check (found in ('unknown', 'held', 'missing', 'absent', 'banned')),
    found_at text,
    recheck_at text,
    difference text check (difference in ('add', 'remove')),
    status text not null check (status in ('pending', 'sending', 'sent', 'cancelled', 'expired', 'dead')),
    due_at text not null,
    expires_at text not null,
    attempts integer not null default 0,
    claimed_by text,
    claimed_until text,
    uncertain integer not null default 0 check (uncertain in (0, 1)),
    sent_at text,
    last_status integer,
    last_error text,
    created_at text not null,
    updated_at text not null,
    constraint member_roles_of_account unique (${ofWatches ? sql`discord_id, audience, role_id` : sql`discord_id, audience`}),
    constraint member_roles_claimed check ((status = 'sending') = (claimed_by is not null and claimed_until is not null))
  ) strict`.execute(db);
  await sql`insert into new_member_roles (${COLUMNS}) select ${COLUMNS} from member_roles`.execute(db);
  await sql`drop table member_roles`.execute(db);
  await sql`alter table new_member_roles rename to member_roles`.execute(db);
  await sql`create index member_roles_unfinished on member_roles (due_at) where status in ('pending', 'sending')`.execute(
    db,
  );
  await sql`create index member_roles_recheck on member_roles (recheck_at) where recheck_at is not null`.execute(
    db,
  );
  await sql`create index member_roles_differences on member_roles (discord_id) where difference is not null`.execute(
    db,
  );
}

/** Roles on Discord of single watches. */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (isSqlite(db)) await replaceMemberRoles(db, true);
  else
    await sql`alter table member_roles
      drop constraint member_roles_audience_check,
      drop constraint member_roles_of_account,
      add column role_id text not null default '',
      add constraint member_roles_audience_check check (audience in ('instant', 'free', 'watch')),
      add constraint member_roles_role_id_check check (audience = 'watch' or role_id = ''),
      add constraint member_roles_of_account unique (discord_id, audience, role_id)`.execute(db);
  await sql`create index member_roles_of_role on member_roles (role_id, discord_id) where role_id <> ''`.execute(
    db,
  );
  await db.schema
    .createTable('watch_roles')
    .addColumn('role_id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('watch_id', 'text', (column) => column.references('watches.id'))
    .addColumn('fan_out_status', 'text', (column) =>
      column.notNull().check(sql`fan_out_status in ('pending', 'done')`),
    )
    .addColumn('fan_out_after', 'text')
    .addUniqueConstraint('watch_roles_of_watch', ['watch_id'])
    .modifyEnd(isSqlite(db) ? sql`strict` : sql``)
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('watch_roles').execute();
  await sql`delete from member_roles where audience = 'watch'`.execute(db);
  if (isSqlite(db)) return replaceMemberRoles(db, false);
  await sql`drop index member_roles_of_role`.execute(db);
  await sql`alter table member_roles
    drop constraint member_roles_audience_check,
    drop constraint member_roles_of_account,
    drop column role_id,
    add constraint member_roles_audience_check check (audience in ('instant', 'free')),
    add constraint member_roles_of_account unique (discord_id, audience)`.execute(db);
}
