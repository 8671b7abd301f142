import { listPublishedArticles } from '#shared/news/list-articles';
import { articlePageSchema } from '~/http/api/schemas.server';
import { call, endpoint } from '~/http/api/endpoint.server';
import { pageQuery } from '~/http/api/page-query.server';
import { serverContext } from '~/http/server/context.server';

const api = endpoint('/api/news', {
  GET: call({
    summary: 'The published articles, newest first',
    access: 'public',
    query: pageQuery(20),
    envelope: 'data',
    answer: articlePageSchema,
    run: ({ query }) => listPublishedArticles(serverContext().db, query),
  }),
});

export const loader = api.loader;
export const action = api.action;
