import { bumpContentVersion } from '../content/content-version';
import type { Database } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import { prepareArticleHtml } from './article-html.server';
import { HTML_VERSION } from './article-html/article-format';

/**
 * Sanitises the content of articles that another version of the sanitiser wrote, so that reading them parses nothing.
 * Run after an update. Content that can no longer be saved stays unchanged and is sanitised on reading. Returns the
 * number of sanitised articles.
 */
export async function prepareStoredArticles(db: Database): Promise<number> {
  const outdated = await db
    .selectFrom('articles')
    .select('id')
    .where('html_version', '!=', HTML_VERSION)
    .execute();
  let prepared = 0;
  for (const { id } of outdated) if (await prepareStored(db, id)) prepared += 1;
  if (prepared > 0) await inTransaction(db, bumpContentVersion);
  return prepared;
}

async function prepareStored(db: Database, id: string): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const row = await trx.selectFrom('articles').select('content').where('id', '=', id).executeTakeFirst();
    if (row === undefined) return false;
    try {
      const { content, summary, readTimeMinutes, blank } = prepareArticleHtml(row.content);
      if (blank) return false;
      await trx
        .updateTable('articles')
        .set({ content, summary, read_time_minutes: readTimeMinutes, html_version: HTML_VERSION })
        .where('id', '=', id)
        .execute();
      return true;
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'Invalid') return false;
      throw error;
    }
  });
}
