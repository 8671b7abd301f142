import { z } from 'zod';
import { setFeaturedImage } from '#shared/news/save-article.server';
import { articleSchema } from '~/http/api/schemas.server';
import { call, endpoint } from '~/http/api/endpoint.server';
import { serverContext } from '~/http/server/context.server';

const api = endpoint('/api/news/admin/articles/{id}/featured-image', {
  PUT: call({
    summary: 'Chooses one of an article’s images for its cards, or none',
    access: 'admin',
    params: z.object({ id: z.string() }),
    body: z.object({ mediaId: z.string().nullable() }),
    failures: [404],
    envelope: 'data',
    answer: z.object({ article: articleSchema }),
    async run({ caller, params, body }) {
      const { db, clock } = serverContext();
      const actor = { userId: caller.account.id };
      const article = await setFeaturedImage(db, { id: params.id, mediaId: body.mediaId, actor, clock });
      return { article };
    },
  }),
});

export const loader = api.loader;
export const action = api.action;
