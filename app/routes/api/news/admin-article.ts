import { z } from 'zod';
import { articleChanges } from '#shared/news/article-fields';
import { deleteArticle } from '#shared/news/delete-article.server';
import { findArticle } from '#shared/news/find-article';
import { articleNotFound } from '#shared/news/media-refusals';
import { updateArticle } from '#shared/news/save-article.server';
import { ARTICLE_BODY_LIMIT_BYTES, articleSchema } from '~/http/api/schemas.server';
import { call, endpoint } from '~/http/api/endpoint.server';
import { serverContext } from '~/http/server/context.server';

const params = z.object({ id: z.string() });
const answer = z.object({ article: articleSchema });

const api = endpoint('/api/news/admin/articles/{id}', {
  GET: call({
    summary: 'An article, draft or not',
    access: 'admin',
    params,
    failures: [404],
    envelope: 'data',
    answer,
    async run({ params }) {
      const article = await findArticle(serverContext().db, params.id);
      if (article === null) throw articleNotFound();
      return { article };
    },
  }),
  PUT: call({
    summary: 'Changes what is given of an article',
    access: 'admin',
    params,
    body: articleChanges,
    bodyLimitBytes: ARTICLE_BODY_LIMIT_BYTES,
    failures: [404],
    envelope: 'data',
    answer,
    async run({ caller, params, body }) {
      const { db, clock } = serverContext();
      const actor = { userId: caller.account.id };
      return { article: await updateArticle(db, { id: params.id, changes: body, actor, clock }) };
    },
  }),
  DELETE: call({
    summary: 'Deletes an article with its media and their files',
    access: 'admin',
    params,
    failures: [404],
    envelope: 'data',
    answer: z.object({}),
    async run({ caller, params }) {
      await deleteArticle(serverContext(), { id: params.id, actor: { userId: caller.account.id } });
      return {};
    },
  }),
});

export const loader = api.loader;
export const action = api.action;
