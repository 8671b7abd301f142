import { createHash } from 'node:crypto';
import type { Article } from './article';

/** What an article's form edits. */
type ArticleText = Pick<Article, 'title' | 'content' | 'excerpt' | 'published' | 'featured'>;

/**
 * Which version of an article's text somebody has before them. Unlike `updatedAt` it stands still while pictures come
 * and go, which two admins may well do side by side.
 */
export function articleVersion({ title, content, excerpt, published, featured }: ArticleText): string {
  return createHash('sha256')
    .update(JSON.stringify([title, content, excerpt, published, featured]))
    .digest('base64url');
}
