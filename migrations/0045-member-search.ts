import type { Kysely } from 'kysely';

interface Names {
  users: {
    id: string;
    username: string;
    discord_username: string | null;
    username_search: string;
    discord_search: string | null;
  };
}

const ROWS_PER_STEP = 500;

/** As `searchKey` does it at the time of this migration. */
function keyOf(text: string): string {
  const withoutMarks = text.normalize('NFKD').replace(/\p{M}/gu, '');
  const folded = withoutMarks.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
  return folded.normalize('NFC').trim();
}

/** The names of accounts in the form in which admins search them, and the order in which they are listed. */
export async function up(db: Kysely<Names>): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('username_search', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
  await db.schema.alterTable('users').addColumn('discord_search', 'text').execute();
  for (let after = ''; ;) {
    const rows = await db
      .selectFrom('users')
      .select(['id', 'username', 'discord_username'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(ROWS_PER_STEP)
      .execute();
    for (const { id, username, discord_username: discord } of rows)
      await db
        .updateTable('users')
        .set({ username_search: keyOf(username), discord_search: discord === null ? null : keyOf(discord) })
        .where('id', '=', id)
        .execute();
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_PER_STEP) break;
    after = last.id;
  }
  await db.schema.createIndex('users_by_username').on('users').column('username_search').execute();
  await db.schema.createIndex('users_by_discord_name').on('users').column('discord_search').execute();
  await db.schema.createIndex('users_by_age').on('users').columns(['created_at', 'id']).execute();
}

export async function down(db: Kysely<Names>): Promise<void> {
  for (const index of ['users_by_username', 'users_by_discord_name', 'users_by_age'])
    await db.schema.dropIndex(index).execute();
  for (const column of ['username_search', 'discord_search'])
    await db.schema.alterTable('users').dropColumn(column).execute();
}
