import Sqlite from 'better-sqlite3';
import { findMembers } from '#shared/accounts/find-members';
import { listArticleStamps, listPublishedOutlines } from '#shared/news/list-articles';
import { findOpenQuote } from '#shared/subscriptions/plan-quotes.server';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../database';

let database: TestDatabase;
const prepared = vi.spyOn(Sqlite.prototype, 'prepare');

beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.cleanup());
afterAll(() => prepared.mockRestore());

/** How SQLite runs the statements of `query` that read `table`, as `explain query plan` says it. */
async function plansOf(
  table: string,
  query: (db: TestDatabase['db']) => Promise<unknown>,
): Promise<string[]> {
  prepared.mockClear();
  await query(database.db);
  const statements = prepared.mock.calls.map(([source]) => source);
  const sqlite = new Sqlite(database.file, { readonly: true });
  const plans = statements
    .filter((source) => source.includes(`from "${table}"`))
    .map((source) => {
      const values = Array.from(source.matchAll(/\?/g), () => null);
      const steps = sqlite.prepare(`explain query plan ${source}`).all(...values) as { detail: string }[];
      return steps.map(({ detail }) => detail).join('; ');
    });
  sqlite.close();
  return plans;
}

// SQLite does not look at bound values, so each of these queries needs its condition as a literal.
it.each([
  [
    'the list of published articles',
    'articles',
    'articles_public',
    (db: TestDatabase['db']) => listPublishedOutlines(db, { page: 1, limit: 10 }),
  ],
  ['the stamps of published articles', 'articles', 'articles_public', listArticleStamps],
  [
    'the open quote of an account',
    'plan_quotes',
    'plan_quotes_one_open',
    (db: TestDatabase['db']) => findOpenQuote(db, { accountId: 'a', newPackageId: 'b', now: 0 }),
  ],
])('%s uses its partial index and sorts nothing', async (_title, table, index, query) => {
  const plans = await plansOf(table, query);
  expect(plans.length).toBeGreaterThan(0);
  for (const plan of plans) {
    expect(plan).toContain(index);
    expect(plan).not.toContain('TEMP B-TREE');
  }
});

it('the search for members reads an index for each way to find one', async () => {
  const plans = await plansOf('users', (db) => findMembers(db, { text: 'ash', page: 1, now: 0 }));
  expect(plans).toHaveLength(2);
  for (const plan of plans) {
    for (const column of ['email>? AND email<?', 'username_search>?', 'discord_search>?', 'discord_id=?'])
      expect(plan).toContain(column);
    expect(plan).not.toContain('SCAN users');
  }
});

it('a query names its parameters so that SQLite plans its statement once', () => {
  const { sql } = database.db.selectFrom('alerts').select('id').where('id', '=', 'a').compile();
  expect(sql).toContain('= +?');
});
