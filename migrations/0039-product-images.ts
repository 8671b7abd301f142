import { sql, type Kysely } from 'kysely';

/** The image of a product: where it is fetched from, whether that is still to be done, and its size once it is stored. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('products').addColumn('image_url', 'text').execute();
  await db.schema
    .alterTable('products')
    .addColumn('image_pending', 'integer', (column) =>
      column
        .notNull()
        .defaultTo(0)
        .check(sql`image_pending in (0, 1)`),
    )
    .execute();
  await db.schema.alterTable('products').addColumn('image_fault', 'text').execute();
  for (const side of ['image_width', 'image_height'])
    await db.schema
      .alterTable('products')
      .addColumn(side, 'integer', (column) => column.check(sql`${sql.ref(side)} > 0`))
      .execute();
  await sql`create index products_with_pending_image on products (id) where image_pending = 1`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('products_with_pending_image').execute();
  for (const column of ['image_height', 'image_width', 'image_fault', 'image_pending', 'image_url'])
    await db.schema.alterTable('products').dropColumn(column).execute();
}
