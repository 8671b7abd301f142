import { sql, SqliteAdapter, type Kysely, type RawBuilder } from 'kysely';

const COLUMNS = sql`id, kind, product_id, watch_id, price_amount, previous_amount, beside_restock, announced_at, fan_out_status, fan_out_after`;

/** SQLite cannot change the checks of a table, so it is replaced; until that is done no delivery names an announcement. */
async function replaceAnnouncements(
  db: Kysely<unknown>,
  { kinds, withoutWatch }: { kinds: RawBuilder<unknown>; withoutWatch: RawBuilder<unknown> },
): Promise<void> {
  const tableEnd = db.getExecutor().adapter instanceof SqliteAdapter ? sql`strict` : sql``;
  await sql`create table kept_announcements as
    select id, announcement_id from member_deliveries where announcement_id is not null`.execute(db);
  await sql`update member_deliveries set announcement_id = null where announcement_id is not null`.execute(
    db,
  );
  await sql`create table new_product_announcements (
    id text not null primary key,
    kind text not null check (kind in (${kinds})),
    product_id text not null references products (id),
    watch_id text references watches (id) check ((watch_id is null) = (kind in (${withoutWatch}))),
    price_amount integer,
    previous_amount integer
      check ((kind = 'price_drop') = (price_amount is not null and previous_amount > price_amount)),
    beside_restock integer not null check (beside_restock in (0, 1)),
    announced_at text not null,
    fan_out_status text not null check (fan_out_status in ('pending', 'done')),
    fan_out_after text
  ) ${tableEnd}`.execute(db);
  await sql`insert into new_product_announcements (${COLUMNS})
    select ${COLUMNS} from product_announcements`.execute(db);
  if (!(db.getExecutor().adapter instanceof SqliteAdapter))
    await sql`alter table member_deliveries drop constraint member_deliveries_announcement_id_fkey`.execute(
      db,
    );
  await db.schema.dropTable('product_announcements').execute();
  await db.schema.alterTable('new_product_announcements').renameTo('product_announcements').execute();
  if (!(db.getExecutor().adapter instanceof SqliteAdapter))
    await sql`alter table member_deliveries add constraint member_deliveries_announcement_id_fkey
      foreign key (announcement_id) references product_announcements (id)`.execute(db);
  await sql`create index product_announcements_pending on product_announcements (announced_at) where fan_out_status = 'pending'`.execute(
    db,
  );
  await db.schema
    .createIndex('product_announcements_of_watch')
    .on('product_announcements')
    .columns(['watch_id', 'announced_at'])
    .execute();
  await sql`update member_deliveries
    set announcement_id = (select announcement_id from kept_announcements where kept_announcements.id = member_deliveries.id)
    where id in (select id from kept_announcements)`.execute(db);
  await db.schema.dropTable('kept_announcements').execute();
}

/** Followers are told once that no shop sells a product any more, or that an admin has retired it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('products').addColumn('end_announced_at', 'text').execute();
  await replaceAnnouncements(db, {
    kinds: sql`'price_drop', 'release', 'end'`,
    withoutWatch: sql`'release', 'end'`,
  });
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`delete from member_deliveries where announcement_id in (select id from product_announcements where kind = 'end')`.execute(
    db,
  );
  await sql`delete from product_announcements where kind = 'end'`.execute(db);
  await replaceAnnouncements(db, {
    kinds: sql`'price_drop', 'release'`,
    withoutWatch: sql`'release'`,
  });
  await db.schema.alterTable('products').dropColumn('end_announced_at').execute();
}
