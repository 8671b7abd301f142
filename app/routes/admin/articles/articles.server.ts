import { z } from 'zod';
import type { Article, ArticleOutline, ArticlePage, ImageSource } from '#shared/news/article';
import { articleFields } from '#shared/news/article-fields';
import { authorOf, summaryOf } from '#shared/news/article-text';
import { listAllOutlines } from '#shared/news/list-articles';
import { withPublicMedia } from '#shared/news/media/public-media';
import { updateArticle } from '#shared/news/save-article.server';
import type { Viewer } from '#shared/accounts/account';
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
import { pageForms, textField, type PageForm } from '~/http/forms/page-forms.server';
import { serverContext } from '~/http/server/context.server';
import { writeOf } from '../../../http/auth/write-of.server';
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

/** A row's switch sends the state that it leads to, so that an outdated list reverts nothing. */
function rowSwitch(changes: { published: boolean } | { featured: boolean }, done: string) {
  const schema = z.object({ articleId: textField });
  return {
    schema,
    async run({ articleId }, { viewer }) {
      await updateArticle(serverContext().db, { id: articleId, changes, ...writeOf(viewer) });
    },
    done,
    refused: () => STATUS_FAILED,
  } satisfies PageForm<typeof schema, Viewer>;
}

/** The switches of the list's rows. */
export function listForms() {
  return pageForms(
    {
      path: ({ request }) => listAddress(pageNumberOf(request)),
      access: requireAdmin,
      failed: LIST_FAILED_FORMS,
    },
    {
      publish: rowSwitch({ published: true }, 'Article published.'),
      unpublish: rowSwitch({ published: false }, 'Article unpublished. It is a draft again.'),
      feature: rowSwitch({ featured: true }, 'Article featured.'),
      unfeature: rowSwitch({ featured: false }, 'Article no longer featured.'),
    },
  );
}

const MEGABYTE = 1024 * 1024;
/** An article may have 2 MB, and a form's encoding makes up to three bytes of each. */
export const ARTICLE_FORM_LIMIT_BYTES = 6 * MEGABYTE + 64 * 1024;

/** An article's form. */
export const articleForm = articleFields.extend({ [VERSION_FIELD]: textField });

/** The fields to save. A field that is missing from a form is cleared; an API call leaves it unchanged. */
export function savedFields({
  title,
  content,
  excerpt,
  published,
  featured,
}: z.output<typeof articleFields>): {
  title: string;
  content: string;
  excerpt: string | null;
  published: boolean;
  featured: boolean;
} {
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

/** Saves an article's form. `overwrite`: ignore the optimistic lock and replace a newer save of another admin. */
export function saveArticle(
  values: z.output<typeof articleForm>,
  { id, viewer, overwrite }: { id: string; viewer: Viewer; overwrite: boolean },
): Promise<Article> {
  return updateArticle(serverContext().db, {
    id,
    changes: savedFields(values),
    expectedVersion: overwrite ? undefined : values[VERSION_FIELD],
    ...writeOf(viewer),
  });
}
