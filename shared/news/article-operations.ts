import { z } from 'zod';
import type { WriteContext } from '../database/transaction';
import { operation, type Admin } from '../operation';
import type { StorageContext } from '../storage/upload-records';
import { articleChanges, articleFields } from './article-fields';
import {
  deleteArticle,
  createArticle,
  setFeaturedImage,
  toggleFeatured,
  togglePublished,
  updateArticle,
} from './save-article.server';

interface Author extends Admin {
  account: { id: string; username: string | null };
}

const id = z.string();
/** The optimistic lock: an article with another version is not changed. */
const expectedVersion = z.string().optional();

export const ARTICLE_DELETED = 'Article deleted.';

export const articleOperations = {
  create: operation({
    access: 'admin',
    // `draft`: the article was already created by uploading an inline image.
    input: articleFields.extend({ draft: z.object({ id, expectedVersion }).optional() }),
    run: ({ db, clock }: WriteContext, { account: { id, username }, actor }: Author, { draft, ...fields }) =>
      draft === undefined
        ? createArticle(db, { fields, author: { id, username }, clock })
        : updateArticle(db, { ...draft, changes: fields, actor, clock }),
    sentence: 'Article created. You can now add images and videos.',
  }),
  save: operation({
    access: 'admin',
    input: articleChanges.extend({ id, expectedVersion }),
    run: ({ db, clock }: WriteContext, { actor }: Admin, { id, expectedVersion, ...changes }) =>
      updateArticle(db, { id, expectedVersion, changes, actor, clock }),
    sentence: 'Article saved.',
  }),
  delete: operation({
    access: 'admin',
    input: z.object({ id }),
    run: (context: StorageContext, { actor }: Admin, { id }) => deleteArticle(context, { id, actor }),
    sentence: ARTICLE_DELETED,
  }),
  /** Without `published`, the value is toggled. */
  setPublished: operation({
    access: 'admin',
    input: z.object({ id, published: z.boolean().optional() }),
    run: ({ db, clock }: WriteContext, { actor }: Admin, { id, published }) =>
      published === undefined
        ? togglePublished(db, { id, actor, clock })
        : updateArticle(db, { id, changes: { published }, actor, clock }),
    sentence: ({ published }) =>
      published ? 'Article published.' : 'Article unpublished. It is a draft again.',
  }),
  /** Without `featured`, the value is toggled. */
  setFeatured: operation({
    access: 'admin',
    input: z.object({ id, featured: z.boolean().optional() }),
    run: ({ db, clock }: WriteContext, { actor }: Admin, { id, featured }) =>
      featured === undefined
        ? toggleFeatured(db, { id, actor, clock })
        : updateArticle(db, { id, changes: { featured }, actor, clock }),
    sentence: ({ featured }) => (featured ? 'Article featured.' : 'Article no longer featured.'),
  }),
  setFeaturedImage: operation({
    access: 'admin',
    input: z.object({ id, mediaId: z.string().nullable() }),
    run: ({ db, clock }: WriteContext, { actor }: Admin, { id, mediaId }) =>
      setFeaturedImage(db, { id, mediaId, actor, clock }),
    sentence: (_article, { mediaId }) =>
      mediaId === null ? 'Featured image removed.' : 'Featured image set.',
  }),
};
