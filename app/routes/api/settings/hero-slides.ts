import { z } from 'zod';
import { heroSlidesSchema } from '#shared/settings/hero-slides';
import { readHeroSlides } from '#shared/settings/read-settings';
import { setHeroSlides } from '#shared/settings/write-settings';
import { call, endpoint } from '~/http/api/endpoint.server';
import { serverContext } from '~/http/server/context.server';

const api = endpoint('/api/settings/hero-slides', {
  GET: call({
    summary: 'Which slides the landing page shows',
    access: 'admin',
    envelope: 'data',
    answer: heroSlidesSchema,
    run: () => readHeroSlides(serverContext().db),
  }),
  PUT: call({
    summary: 'Sets which slides the landing page shows',
    access: 'admin',
    body: z.object({ config: heroSlidesSchema }),
    envelope: 'data',
    answer: heroSlidesSchema,
    run({ caller, body }) {
      const { db, clock } = serverContext();
      return setHeroSlides(db, { config: body.config, actor: { userId: caller.account.id }, clock });
    },
  }),
});

export const loader = api.loader;
export const action = api.action;
