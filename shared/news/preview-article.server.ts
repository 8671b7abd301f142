import { toIso, type Clock } from '../clock';
import type { Database } from '../database/schema';
import { inTransaction } from '../database/transaction';
import type { Article } from './article';
import { contentRefused, TITLE_AND_CONTENT_REQUIRED, type ArticleFields } from './article-fields';
import { previewArticle } from './find-article';
import { removeMissingImages } from './media/text-images';

/**
 * An article as it would be shown if it were saved now; stores nothing. `id`: the stored article whose media and dates it
 * has; without one it is a new draft. Throws `Invalid` when the content has no text.
 */
export async function previewFields(
  db: Database,
  {
    id,
    fields,
    author,
    clock,
  }: { id: string; fields: ArticleFields; author: { username: string | null }; clock: Clock },
): Promise<Article> {
  const { prepareArticleHtml } = await import('./article-html.server');
  const prepared = prepareArticleHtml(fields.content);
  if (prepared.blank) throw contentRefused('invalid', TITLE_AND_CONTENT_REQUIRED);
  const [stored, content] = await Promise.all([
    id === '' ? null : previewArticle(db, id),
    inTransaction(db, (trx) => removeMissingImages(trx, prepared.content)),
  ]);
  const now = toIso(clock.now());
  return {
    id: stored?.id ?? '',
    featuredImageId: stored?.featuredImageId ?? null,
    authorUsername: stored === null ? author.username : stored.authorUsername,
    createdAt: stored?.createdAt ?? now,
    updatedAt: now,
    publishedAt: stored?.publishedAt ?? null,
    media: stored?.media ?? [],
    title: fields.title,
    content,
    excerpt: fields.excerpt ?? null,
    summary: prepared.summary,
    readTimeMinutes: prepared.readTimeMinutes,
    published: fields.published ?? false,
    featured: fields.featured ?? false,
  };
}
