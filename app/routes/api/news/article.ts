import { z } from 'zod';
import { findPublishedArticle } from '#shared/news/find-article';
import { articleNotFound } from '#shared/news/media-refusals';
import { articleSchema } from '~/http/api/schemas.server';
import { call, endpoint } from '~/http/api/endpoint.server';
import { serverContext } from '~/http/server/context.server';

const api = endpoint('/api/news/{id}', {
  GET: call({
    summary: 'A published article',
    access: 'public',
    params: z.object({ id: z.string() }),
    failures: [404],
    envelope: 'data',
    answer: z.object({ article: articleSchema }),
    async run({ params }) {
      const article = await findPublishedArticle(serverContext().db, params.id);
      if (article === null) throw articleNotFound();
      return { article };
    },
  }),
});

export const loader = api.loader;
export const action = api.action;
