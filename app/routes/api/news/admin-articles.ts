import { z } from 'zod';
import { articleFields } from '#shared/news/article-fields';
import { listAllArticles } from '#shared/news/list-articles';
import { articleVersion } from '#shared/news/article-version.server';
import { createArticle } from '#shared/news/save-article.server';
import { ARTICLE_BODY_LIMIT_BYTES, articlePageSchema, articleSchema } from '~/http/api/schemas.server';
import { call, endpoint } from '~/http/api/endpoint.server';
import { pageQuery } from '~/http/api/page-query.server';
import { Reply } from '~/http/api/reply.server';
import { serverContext } from '~/http/server/context.server';

const api = endpoint('/api/news/admin/articles', {
  GET: call({
    summary: 'All articles, drafts too, newest first',
    access: 'admin',
    query: pageQuery(50),
    envelope: 'data',
    answer: articlePageSchema,
    run: ({ query }) => listAllArticles(serverContext().db, query),
  }),
  POST: call({
    summary: 'Creates an article, a draft unless it says otherwise',
    access: 'admin',
    body: articleFields,
    bodyLimitBytes: ARTICLE_BODY_LIMIT_BYTES,
    envelope: 'data',
    status: 201,
    answer: z.object({ article: articleSchema }),
    async run({ caller, body }) {
      const { db, clock } = serverContext();
      const { id, username } = caller.account;
      const article = await createArticle(db, { fields: body, author: { id, username }, clock });
      // Whoever goes on writing it needs to know which version they have.
      return new Reply({ article }, { headers: new Headers({ ETag: `"${articleVersion(article)}"` }) });
    },
  }),
});

export const loader = api.loader;
export const action = api.action;
