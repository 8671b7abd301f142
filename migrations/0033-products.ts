import { sql, SqliteAdapter, type ColumnDefinitionBuilder, type Kysely, type RawBuilder } from 'kysely';

const AVAILABILITIES = ['in_stock', 'limited', 'preorder', 'out_of_stock'];
const DETAILS = [
  'release',
  'backorder',
  'low_stock',
  'in_store_only',
  'marketplace_only',
  'used_only',
  'coming_soon',
  'ballot',
];

type Build = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
type Column = [name: string, type: 'text' | 'integer', build?: Build];

const oneOf = (column: string, values: readonly string[]): RawBuilder<boolean> =>
  sql`${sql.ref(column)} in (${sql.join(values.map((value) => sql.lit(value)))})`;

const choice =
  (column: string, values: readonly string[]): Build =>
  (definition) =>
    definition.check(oneOf(column, values));

/** A price is an amount in minor units with its currency, or neither. */
const price = (amount: string, currency: string): Column[] => [
  [amount, 'integer', (column) => column.check(sql`${sql.ref(amount)} > 0`)],
  [
    currency,
    'text',
    (column) =>
      column.check(
        sql`(${sql.ref(currency)} is null) = (${sql.ref(amount)} is null) and length(${sql.ref(currency)}) = 3`,
      ),
  ],
];

const flag =
  (column: string): Build =>
  (definition) =>
    definition
      .notNull()
      .defaultTo(0)
      .check(sql`${sql.ref(column)} in (0, 1)`);

const references =
  (target: string): Build =>
  (column) =>
    column.references(target);

/** The new columns of existing tables. A check may refer to columns above it. */
const ADDED: Record<string, Column[]> = {
  watches: [
    [
      'kind',
      'text',
      (column) =>
        column
          .notNull()
          .defaultTo('waiting_room')
          .check(oneOf('kind', ['waiting_room', 'product'])),
    ],
    ['product_id', 'text', references('products.id')],
    [
      'retailer_id',
      'text',
      (column) =>
        column
          .references('retailers.id')
          .check(
            sql`(kind = 'product') = (product_id is not null) and (kind = 'product') = (retailer_id is not null)`,
          ),
    ],
    ['variant_key', 'text', (column) => column.check(sql`variant_key is null or kind = 'product'`)],
    [
      'fetch_as',
      'text',
      (column) =>
        column
          .notNull()
          .defaultTo('page')
          .check(
            sql`fetch_as in ('page', 'shopify_json', 'woo_store_api') and (fetch_as = 'page' or kind = 'product')`,
          ),
    ],
    ['last_availability', 'text', choice('last_availability', AVAILABILITIES)],
    ['last_detail', 'text', choice('last_detail', DETAILS)],
    ...price('last_price_amount', 'last_price_currency'),
    ['body_hash', 'text'],
    ['etag', 'text'],
    ['last_modified', 'text'],
  ],
  monitor_checks: [
    ['availability', 'text', choice('availability', [...AVAILABILITIES, 'unknown'])],
    ['detail', 'text', choice('detail', DETAILS)],
    ...price('price_amount', 'price_currency'),
  ],
  alerts: [
    [
      'kind',
      'text',
      (column) =>
        column
          .notNull()
          .defaultTo('waiting_room')
          .check(oneOf('kind', ['waiting_room', 'restock', 'preorder'])),
    ],
    ...price('price_amount', 'price_currency'),
    ['variants', 'text'],
    ['trickling', 'integer', flag('trickling')],
    ['reopened_at', 'text'],
  ],
};

/**
 * Watches of products: what they sell (`products`), where (`retailers`), what each offer was and cost (`offer_runs`), and
 * who follows it (`product_follows`). Existing watches, checks and alerts are those of waiting rooms.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // SQLite checks column types only in strict tables; PostgreSQL always does and has no such keyword.
  const tableEnd = db.getExecutor().adapter instanceof SqliteAdapter ? sql`strict` : sql``;
  const [listPriceAmount, currency] = price('list_price_amount', 'currency');

  await db.schema
    .createTable('products')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('slug', 'text', (column) =>
      column
        .notNull()
        .unique()
        .check(sql`slug = lower(slug) and slug <> ''`),
    )
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('brand', 'text')
    .addColumn('gtin', 'text', (column) => column.check(sql`length(gtin) in (8, 12, 13, 14)`))
    .addColumn('image_upload_id', 'text', (column) => column.references('uploads.id').onDelete('set null'))
    .addColumn('released_on', 'text', (column) => column.check(sql`length(released_on) = 10`))
    .addColumn('list_price_amount', 'integer', listPriceAmount?.[2])
    .addColumn('currency', 'text', currency?.[2])
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('deleted_at', 'text')
    .modifyEnd(tableEnd)
    .execute();
  await sql`create unique index products_one_per_gtin on products (gtin) where deleted_at is null`.execute(
    db,
  );

  await db.schema
    .createTable('retailers')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('host', 'text', (column) =>
      column
        .notNull()
        .unique()
        .check(sql`host = lower(host) and host <> ''`),
    )
    .addColumn('kind', 'text', (column) =>
      column
        .notNull()
        .defaultTo('unknown')
        .check(oneOf('kind', ['unknown', 'shopify', 'woocommerce'])),
    )
    .addColumn('robots_delay_ms', 'integer', (column) => column.check(sql`robots_delay_ms >= 0`))
    .addColumn('robots_read_at', 'text')
    .addColumn('supported', 'integer', flag('supported'))
    .modifyEnd(tableEnd)
    .execute();

  for (const [table, columns] of Object.entries(ADDED))
    for (const [name, type, build] of columns)
      await db.schema.alterTable(table).addColumn(name, type, build).execute();

  let runs = db.schema
    .createTable('offer_runs')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('watch_id', 'text', (column) => column.notNull().references('watches.id'))
    .addColumn('variant_key', 'text', (column) => column.notNull())
    .addColumn('availability', 'text', (column) =>
      column.notNull().check(oneOf('availability', AVAILABILITIES)),
    )
    .addColumn('detail', 'text', choice('detail', DETAILS));
  for (const [name, type, build] of price('price_amount', 'price_currency'))
    runs = runs.addColumn(name, type, build);
  await runs
    .addColumn('strength', 'text', (column) => column.notNull().check(oneOf('strength', ['strong', 'weak'])))
    .addColumn('first_seen_at', 'text', (column) => column.notNull())
    .addColumn('last_seen_at', 'text', (column) => column.notNull())
    .addColumn('first_check_id', 'text', (column) => column.notNull())
    .addColumn('is_latest', 'integer', (column) => column.notNull().check(sql`is_latest in (0, 1)`))
    .modifyEnd(tableEnd)
    .execute();
  // A check lengthens the latest run of each variant, or replaces it.
  await sql`create unique index offer_runs_latest on offer_runs (watch_id, variant_key) where is_latest = 1`.execute(
    db,
  );
  await db.schema
    .createIndex('offer_runs_in_order')
    .on('offer_runs')
    .columns(['watch_id', 'variant_key', 'last_seen_at'])
    .execute();

  await db.schema
    .createTable('product_follows')
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('product_id', 'text', (column) =>
      column.notNull().references('products.id').onDelete('cascade'),
    )
    .addColumn('retailer_ids', 'text')
    .addColumn('variant_keys', 'text')
    .addColumn('wants', 'text', (column) => column.notNull())
    .addColumn('max_price_amount', 'integer', (column) => column.check(sql`max_price_amount > 0`))
    .addColumn('quiet_from', 'integer', (column) => column.check(sql`quiet_from between 0 and 23`))
    .addColumn('quiet_to', 'integer', (column) =>
      column.check(sql`quiet_to between 0 and 23 and (quiet_to is null) = (quiet_from is null)`),
    )
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('product_follows_once', ['user_id', 'product_id'])
    .modifyEnd(tableEnd)
    .execute();
  await db.schema
    .createIndex('product_follows_of_product')
    .on('product_follows')
    .column('product_id')
    .execute();
}

/** Keeps only the watches of waiting rooms: the older schema knows no others. */
export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of ['product_follows', 'offer_runs']) await db.schema.dropTable(table).execute();
  const products = sql`(select id from watches where kind = 'product')`;
  await sql`delete from monitor_checks where watch_id in ${products}`.execute(db);
  await sql`delete from alerts where watch_id in ${products}`.execute(db);
  await sql`delete from watches where kind = 'product'`.execute(db);
  for (const [table, columns] of Object.entries(ADDED))
    for (const [name] of columns.toReversed()) await db.schema.alterTable(table).dropColumn(name).execute();
  for (const table of ['retailers', 'products']) await db.schema.dropTable(table).execute();
}
