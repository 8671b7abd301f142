import { afterEach, beforeEach, expect, test } from 'vitest';
import { readContentVersion } from '#shared/content/content-version';
import { HTML_VERSION } from '#shared/news/article-html/article-format';
import { findArticle } from '#shared/news/find-article';
import { prepareStoredArticles } from '#shared/news/prepare-stored-articles.server';
import { createTestDatabase, type TestDatabase } from '../database';
import { writeArticle } from './media-fixture';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.cleanup());

/** Writes an article directly to the database. */
async function store(content: string): Promise<string> {
  const id = await writeArticle(database.db, { published: true });
  await database.db
    .updateTable('articles')
    .set({ content, summary: 'As it was', updated_at: '2026-01-01T00:00:00.000Z' })
    .where('id', '=', id)
    .execute();
  return id;
}

const row = (id: string) =>
  database.db.selectFrom('articles').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

test('content of an older sanitiser is sanitised again once, with its summary and read time', async () => {
  const { db } = database;
  const id = await store(`<h2 onclick="x()">Soon</h2><p>${'word '.repeat(250)}</p>`);
  const revision = await readContentVersion(db);
  expect(await prepareStoredArticles(db)).toBe(1);
  expect(await row(id)).toMatchObject({
    content: expect.stringMatching(/^<h2>Soon<\/h2>\n<p>word/),
    html_version: HTML_VERSION,
    summary: expect.stringMatching(/^Soon · word/),
    read_time_minutes: 2,
    updated_at: '2026-01-01T00:00:00.000Z',
  });
  expect(await readContentVersion(db)).toBe(revision + 1);
  expect(await prepareStoredArticles(db)).toBe(0);
  expect(await readContentVersion(db)).toBe(revision + 1);
});

test('content without text is kept, and sanitised when it is read', async () => {
  const content = '<p onclick="x()"> </p><script>x</script>';
  const id = await store(content);
  expect(await prepareStoredArticles(database.db)).toBe(0);
  expect(await row(id)).toMatchObject({ content, html_version: 0, summary: 'As it was' });
  expect((await findArticle(database.db, id))?.content).toBe('');
});

test('content that was not written by the save is sanitised when it is read', async () => {
  const id = await store('<p onclick="x()">a</p><script>x</script>');
  expect((await findArticle(database.db, id))?.content).toBe('<p>a</p>');
});
