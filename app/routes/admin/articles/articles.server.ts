import { z } from 'zod';
import type { ArticleOutline, ArticlePage, ImageSource } from '#shared/news/article';
import { articleOperations } from '#shared/news/article-operations';
import { articleFields } from '#shared/news/article-fields';
import { authorOf, summaryOf } from '#shared/news/article-text';
import { listAllOutlines } from '#shared/news/list-articles';
import { withPublicMedia } from '#shared/news/media/public-media';
import { THUMBNAIL_PX, type ListedArticle } from '~/components/articles/article-row';
import {
  CONFLICT,
  GONE,
  listAddress,
  LIST_FAILED_FORMS,
  SAVE_FAILED,
  shortened,
  STATUS_FAILED,
  VERSION_FIELD,
} from '~/components/articles/articles';
import { requireAdmin } from '~/http/auth/session.server';
import type { Failure } from '~/http/server/failures.server';
import { operationForm, pageForms, textField } from '~/http/forms/page-forms.server';
import { serverContext } from '~/http/server/context.server';
import { pageNumberOf } from '~/components/ui/page-links';

const ARTICLES_PER_PAGE = 20;
/** Characters of the excerpt or the text that a row shows. */
const SUMMARY_LENGTH = 100;

/** A page of the admin list; the last page for a number past it. */
export async function readArticleList(page: number): Promise<ArticlePage<ArticleOutline>> {
  const { db } = serverContext();
  const query = { page, limit: ARTICLES_PER_PAGE };
  const found = await listAllOutlines(db, query);
  // The last article of the last page may just have been deleted.
  return found.articles.length === 0 && found.totalPages > 0
    ? listAllOutlines(db, { ...query, page: found.totalPages })
    : found;
}

/** The smallest size that is wide enough, else the widest, of the featured image or else the first. */
function thumbnailOf(article: ArticleOutline): ImageSource | null {
  const { media, featuredImageId } = withPublicMedia(article);
  const images = media.filter(({ mediaType }) => mediaType === 'image');
  const { sources = [] } = images.find(({ id }) => id === featuredImageId) ?? images[0] ?? {};
  return sources.find(({ width }) => width >= THUMBNAIL_PX) ?? sources.at(-1) ?? null;
}

/** The data of a list row. */
export function toListedArticle(article: ArticleOutline): ListedArticle {
  const { id, title, published, featured, createdAt, updatedAt, publishedAt } = article;
  return {
    id,
    title,
    summary: shortened(summaryOf(article, SUMMARY_LENGTH), SUMMARY_LENGTH),
    author: authorOf(article),
    published,
    featured,
    createdAt,
    updatedAt,
    publishedAt,
    thumbnail: thumbnailOf(article),
  };
}

const rowFields = z.object({ articleId: textField });
const refused = () => STATUS_FAILED;

/** A row's switch sends the target state, so that an outdated list reverts nothing. */
const publish = (published: boolean) =>
  operationForm(articleOperations.setPublished, {
    schema: rowFields,
    input: ({ articleId: id }) => ({ id, published }),
    refused,
  });

const feature = (featured: boolean) =>
  operationForm(articleOperations.setFeatured, {
    schema: rowFields,
    input: ({ articleId: id }) => ({ id, featured }),
    refused,
  });

/** The switches of the list's rows. */
export const listForms = pageForms(
  {
    path: ({ request }) => listAddress(pageNumberOf(request)),
    access: requireAdmin,
    failed: LIST_FAILED_FORMS,
  },
  {
    publish: publish(true),
    unpublish: publish(false),
    feature: feature(true),
    unfeature: feature(false),
  },
);

const MEGABYTE = 1024 * 1024;
/** An article may have 2 MB, and a form's encoding makes up to three bytes of each. */
export const ARTICLE_FORM_LIMIT_BYTES = 6 * MEGABYTE + 64 * 1024;

export const articleForm = articleFields.extend({ [VERSION_FIELD]: textField });

/** The fields to save. A field that is missing from a form is cleared; an API call leaves it unchanged. */
export function savedFields({
  title,
  content,
  excerpt,
  published,
  featured,
}: z.output<typeof articleFields>) {
  return {
    title,
    content,
    excerpt: excerpt ?? null,
    published: published ?? false,
    featured: featured ?? false,
  };
}

/** The sentence for a refused save. `gone`: the sentence for a deleted article. */
export function saveRefused({ status, message }: Failure, gone: string = GONE): string {
  if (status === 404) return gone;
  if (status === 409) return CONFLICT;
  return [400, 413, 415].includes(status) ? `${SAVE_FAILED} ${message}` : message;
}
