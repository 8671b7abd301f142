import { z } from 'zod';
import { addMedia } from '#shared/news/media/add-media.server';
import { articleChanges, articleFields } from '#shared/news/article-fields';
import {
  articleVersion,
  createArticle,
  setFeaturedImage,
  toggleFeatured,
  togglePublished,
  updateArticle,
} from '#shared/news/save-article.server';
import { deleteArticle } from '#shared/news/delete-article.server';
import { deleteMedia } from '#shared/news/media/delete-media.server';
import { findArticle, findPublishedArticle } from '#shared/news/find-article';
import { listAllArticles, listPublishedArticles } from '#shared/news/list-articles';
import {
  altTextField,
  captionField,
  displayOrderField,
  placementField,
  videoPixelsField,
} from '#shared/news/media/media-fields';
import { articleNotFound } from '#shared/news/article';
import { MEDIA_FILE } from '#shared/news/media/media-rules';
import { call } from '~/http/api/call.server';
import { endpoint } from '~/http/api/endpoint.server';
import { countParameter } from '~/http/api/input.server';
import { Reply } from '~/http/api/response.server';
import {
  articleExample,
  articlePageExample,
  articlePageSchema,
  articleSchema,
  mediaExample,
  mediaSchema,
} from '~/http/api/schemas.server';
import { actorOf, writeOf } from '~/http/auth/write-of.server';
import { serverContext } from '~/http/server/context.server';

/** Largest JSON body of a call that writes an article. */
const ARTICLE_BODY_LIMIT_BYTES = 2 * 1024 * 1024;

const MAX_PER_PAGE = 100;

function pageQuery({ limit }: { limit: number }) {
  return z.object({
    page: countParameter('page', { fallback: 1 }),
    limit: countParameter('limit', { max: MAX_PER_PAGE, fallback: limit }),
  });
}

const params = z.object({ id: z.string() });
const mediaParams = z.object({ id: z.string().max(64) });
const articleResponse = z.object({ article: articleSchema });
const example = { response: { article: articleExample } };

const news = endpoint(
  { name: 'news', description: 'Articles and their media' },
  {
    '/api/news': {
      GET: call({
        id: 'listArticles',
        summary: 'Lists the published articles',
        description: 'The newest comes first. A page past the end is empty.',
        access: 'public',
        query: pageQuery({ limit: 20 }),
        envelope: 'data',
        response: articlePageSchema,
        example: { response: articlePageExample },
        run: ({ query }) => listPublishedArticles(serverContext().db, query),
      }),
    },

    '/api/news/{id}': {
      GET: call({
        id: 'readArticle',
        summary: 'Reads a published article',
        description: 'A draft is a 404.',
        access: 'public',
        params,
        failures: [404],
        envelope: 'data',
        response: articleResponse,
        example,
        async run({ params }) {
          const article = await findPublishedArticle(serverContext().db, params.id);
          if (article === null) throw articleNotFound();
          return { article };
        },
      }),
    },

    '/api/news/admin/articles': {
      GET: call({
        id: 'listAllArticles',
        summary: 'Lists all articles',
        description: 'Includes drafts. The newest comes first. A page past the end is empty.',
        access: 'admin',
        query: pageQuery({ limit: 50 }),
        envelope: 'data',
        response: articlePageSchema,
        example: { response: articlePageExample },
        run: ({ query }) => listAllArticles(serverContext().db, query),
      }),
      POST: call({
        id: 'createArticle',
        summary: 'Creates an article',
        description: 'It is a draft unless `published` is true. The HTML of the content is sanitised.',
        access: 'admin',
        body: articleFields,
        bodyLimitBytes: ARTICLE_BODY_LIMIT_BYTES,
        envelope: 'data',
        status: 201,
        response: articleResponse,
        example: { body: { title: articleExample.title, content: articleExample.content }, ...example },
        async run({ caller, body }) {
          const { db, clock } = serverContext();
          const { id, username } = caller.account;
          const article = await createArticle(db, { fields: body, author: { id, username }, clock });
          // The editor sends this version with its next save (optimistic lock).
          return new Reply({ article }, { headers: new Headers({ ETag: `"${articleVersion(article)}"` }) });
        },
      }),
    },

    '/api/news/admin/articles/{id}': {
      GET: call({
        id: 'readAnyArticle',
        summary: 'Reads an article, published or not',
        description: 'Includes its media.',
        access: 'admin',
        params,
        failures: [404],
        envelope: 'data',
        response: articleResponse,
        example,
        async run({ params }) {
          const article = await findArticle(serverContext().db, params.id);
          if (article === null) throw articleNotFound();
          return { article };
        },
      }),
      PUT: call({
        id: 'updateArticle',
        summary: 'Changes an article',
        description: 'Fields that are left out stay as they are.',
        access: 'admin',
        params,
        body: articleChanges,
        bodyLimitBytes: ARTICLE_BODY_LIMIT_BYTES,
        failures: [404],
        envelope: 'data',
        response: articleResponse,
        example: { body: { title: articleExample.title }, ...example },
        async run({ caller, params, body }) {
          const { db } = serverContext();
          return { article: await updateArticle(db, { id: params.id, changes: body, ...writeOf(caller) }) };
        },
      }),
      DELETE: call({
        id: 'deleteArticle',
        summary: 'Deletes an article',
        description: 'Deletes its media and their files, too.',
        access: 'admin',
        params,
        failures: [404],
        envelope: 'data',
        response: z.object({}),
        async run({ caller, params }) {
          await deleteArticle(serverContext(), { id: params.id, actor: actorOf(caller) });
          return {};
        },
      }),
    },

    '/api/news/admin/articles/{id}/toggle-published': {
      POST: call({
        id: 'togglePublished',
        summary: 'Publishes a draft, or makes an article a draft again',
        description: 'The date of the first publication does not change.',
        access: 'admin',
        params,
        failures: [404],
        envelope: 'data',
        response: articleResponse,
        example,
        async run({ caller, params }) {
          const { db } = serverContext();
          return { article: await togglePublished(db, { id: params.id, ...writeOf(caller) }) };
        },
      }),
    },

    '/api/news/admin/articles/{id}/toggle-featured': {
      POST: call({
        id: 'toggleFeatured',
        summary: 'Marks an article as featured, or removes the mark',
        description: 'Pages list featured articles first.',
        access: 'admin',
        params,
        failures: [404],
        envelope: 'data',
        response: articleResponse,
        example,
        async run({ caller, params }) {
          const { db } = serverContext();
          return { article: await toggleFeatured(db, { id: params.id, ...writeOf(caller) }) };
        },
      }),
    },

    '/api/news/admin/articles/{id}/featured-image': {
      PUT: call({
        id: 'setFeaturedImage',
        summary: 'Chooses the image for an article’s cards',
        description: 'It must be an image of the article; null removes the choice.',
        access: 'admin',
        params,
        body: z.object({ mediaId: z.string().nullable() }),
        failures: [404],
        envelope: 'data',
        response: articleResponse,
        example: { body: { mediaId: mediaExample.id }, ...example },
        async run({ caller, params, body }) {
          const { db } = serverContext();
          return { article: await setFeaturedImage(db, { id: params.id, ...body, ...writeOf(caller) }) };
        },
      }),
    },

    '/api/news/admin/articles/{id}/media': {
      POST: call({
        id: 'addMedia',
        summary: 'Adds an image or a video to an article',
        description: 'An image can be up to 10 MB, a video up to 200 MB.',
        access: 'admin',
        params: mediaParams,
        multipart: { file: MEDIA_FILE },
        body: z.object({
          altText: altTextField.optional(),
          caption: captionField.optional(),
          displayOrder: displayOrderField.optional(),
          placement: placementField
            .describe('`text`: an inline image; it is public only while the saved text contains it.')
            .optional(),
          width: videoPixelsField.describe('Of a video, in pixels; ignored without `height`.').optional(),
          height: videoPixelsField.describe('Of a video, in pixels; ignored without `width`.').optional(),
        }),
        limits: ({ caller }) => [{ limit: 'upload', key: caller.account.id }],
        envelope: 'data',
        status: 201,
        response: z.object({ media: mediaSchema }),
        example: { response: { media: mediaExample } },
        async run({ caller, params, body, files }) {
          const media = await addMedia(serverContext(), {
            articleId: params.id,
            file: files.file,
            ...body,
            actor: actorOf(caller),
          });
          return { media };
        },
      }),
    },

    '/api/news/admin/media/{id}': {
      DELETE: call({
        id: 'deleteMedia',
        summary: 'Deletes an image or a video of an article',
        description: 'Deletes its files, too. If it was the featured image, the article has none afterwards.',
        access: 'admin',
        params: mediaParams,
        envelope: 'data',
        response: z.object({}),
        async run({ caller, params }) {
          await deleteMedia(serverContext(), { mediaId: params.id, actor: actorOf(caller) });
          return {};
        },
      }),
    },
  },
);

export const loader = news;
export const action = news;
