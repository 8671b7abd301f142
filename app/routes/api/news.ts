import { z } from 'zod';
import { articleChanges, articleFields } from '#shared/news/article-fields';
import { articleOperations } from '#shared/news/article-operations';
import { articleVersion } from '#shared/news/save-article.server';
import { findArticle, findPublishedArticle } from '#shared/news/find-article';
import { listAllArticles, listPublishedArticles } from '#shared/news/list-articles';
import { mediaOperations, newMediaFields } from '#shared/news/media/media-operations';
import { articleNotFound, type Article } from '#shared/news/article';
import { MEDIA_FILE } from '#shared/news/media/media-rules';
import { call, operationCall } from '~/http/api/call.server';
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
} from './calls/schemas.server';
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

/** What all calls for one article have in common. */
const ofArticle = {
  params,
  failures: [404],
  envelope: 'data',
  response: articleResponse,
  example,
} as const;
const replyArticle = ({ result: article }: { result: Article }) => ({ article });

const news = endpoint(
  { name: 'news', description: 'Articles and their media' },
  {
    'GET /api/news': call({
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

    'GET /api/news/{id}': call({
      id: 'readArticle',
      summary: 'Reads a published article',
      description: 'A draft is a 404.',
      access: 'public',
      ...ofArticle,
      async run({ params }) {
        const article = await findPublishedArticle(serverContext().db, params.id);
        if (article === null) throw articleNotFound();
        return { article };
      },
    }),

    'GET /api/news/admin/articles': call({
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

    'POST /api/news/admin/articles': operationCall(articleOperations.create, {
      id: 'createArticle',
      summary: 'Creates an article',
      description: 'It is a draft unless `published` is true. The HTML of the content is sanitised.',
      body: articleFields,
      bodyLimitBytes: ARTICLE_BODY_LIMIT_BYTES,
      envelope: 'data',
      status: 201,
      response: articleResponse,
      example: { body: { title: articleExample.title, content: articleExample.content }, ...example },
      // The editor sends this version with its next save (optimistic lock).
      reply: ({ result: article }) =>
        new Reply({ article }, { headers: new Headers({ ETag: `"${articleVersion(article)}"` }) }),
    }),

    'GET /api/news/admin/articles/{id}': call({
      id: 'readAnyArticle',
      summary: 'Reads an article, published or not',
      description: 'Includes its media.',
      access: 'admin',
      ...ofArticle,
      async run({ params }) {
        const article = await findArticle(serverContext().db, params.id);
        if (article === null) throw articleNotFound();
        return { article };
      },
    }),

    'PUT /api/news/admin/articles/{id}': operationCall(articleOperations.save, {
      id: 'updateArticle',
      summary: 'Changes an article',
      description: 'Fields that are left out stay as they are.',
      ...ofArticle,
      body: articleChanges,
      bodyLimitBytes: ARTICLE_BODY_LIMIT_BYTES,
      example: { body: { title: articleExample.title }, ...example },
      reply: replyArticle,
    }),

    'DELETE /api/news/admin/articles/{id}': operationCall(articleOperations.delete, {
      id: 'deleteArticle',
      summary: 'Deletes an article',
      description: 'Deletes its media and their files, too.',
      params,
      failures: [404],
      envelope: 'data',
      response: z.object({}),
    }),

    'POST /api/news/admin/articles/{id}/toggle-published': operationCall(articleOperations.setPublished, {
      id: 'togglePublished',
      summary: 'Publishes a draft, or makes an article a draft again',
      description: 'The date of the first publication does not change.',
      ...ofArticle,
      reply: replyArticle,
    }),

    'POST /api/news/admin/articles/{id}/toggle-featured': operationCall(articleOperations.setFeatured, {
      id: 'toggleFeatured',
      summary: 'Marks an article as featured, or removes the mark',
      description: 'Pages list featured articles first.',
      ...ofArticle,
      reply: replyArticle,
    }),

    'PUT /api/news/admin/articles/{id}/featured-image': operationCall(articleOperations.setFeaturedImage, {
      id: 'setFeaturedImage',
      summary: 'Chooses the image for an article’s cards',
      description: 'It must be an image of the article; null removes the choice.',
      ...ofArticle,
      body: z.object({ mediaId: z.string().nullable() }),
      example: { body: { mediaId: mediaExample.id }, ...example },
      reply: replyArticle,
    }),

    'POST /api/news/admin/articles/{id}/media': operationCall(mediaOperations.add, {
      id: 'addMedia',
      summary: 'Adds an image or a video to an article',
      description: 'An image can be up to 10 MB, a video up to 200 MB.',
      params: mediaParams,
      multipart: { file: MEDIA_FILE },
      body: newMediaFields,
      input: ({ params, body, files }) => ({ articleId: params.id, ...body, file: files.file }),
      envelope: 'data',
      status: 201,
      response: z.object({ media: mediaSchema }),
      example: { response: { media: mediaExample } },
      reply: ({ result: media }) => ({ media }),
    }),

    'DELETE /api/news/admin/media/{id}': operationCall(mediaOperations.delete, {
      id: 'deleteMedia',
      summary: 'Deletes an image or a video of an article',
      description: 'Deletes its files, too. If it was the featured image, the article has none afterwards.',
      params: mediaOperations.delete.input,
      envelope: 'data',
      response: z.object({}),
    }),
  },
);

export const loader = news;
export const action = news;
