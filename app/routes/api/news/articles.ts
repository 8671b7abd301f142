import { listPublishedArticles } from '#shared/news/list-articles';
import { articlePageSchema } from '~/http/api/schemas.server';
import { withTrustedContent } from '~/http/site/article-content.server';
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
    async run({ query }) {
      const page = await listPublishedArticles(serverContext().db, query);
      return { ...page, articles: page.articles.map(withTrustedContent) };
    },
  }),
});

export const loader = api.loader;
export const action = api.action;
