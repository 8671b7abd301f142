import { createHash } from 'node:crypto';
import type { Article } from './article';

/** The fields that an article's form edits. */
type ArticleText = Pick<Article, 'title' | 'content' | 'excerpt' | 'published' | 'featured'>;

/**
 * Identifies a version of an article's text, for optimistic locking. Unlike `updatedAt` it does not change with the
 * article's media, so that one admin can edit the text while another adds images.
 */
export function articleVersion({ title, content, excerpt, published, featured }: ArticleText): string {
  return createHash('sha256')
    .update(JSON.stringify([title, content, excerpt, published, featured]))
    .digest('base64url');
}
