import { z } from 'zod';
import { toggleFeatured } from '#shared/news/save-article.server';
import { articleSchema } from '~/http/api/schemas.server';
import { call, endpoint } from '~/http/api/endpoint.server';
import { serverContext } from '~/http/server/context.server';

const api = endpoint('/api/news/admin/articles/{id}/toggle-featured', {
  POST: call({
    summary: 'Features an article, or features it no more',
    access: 'admin',
    params: z.object({ id: z.string() }),
    failures: [404],
    envelope: 'data',
    answer: z.object({ article: articleSchema }),
    async run({ caller, params }) {
      const { db, clock } = serverContext();
      const actor = { userId: caller.account.id };
      return { article: await toggleFeatured(db, { id: params.id, actor, clock }) };
    },
  }),
});

export const loader = api.loader;
export const action = api.action;
