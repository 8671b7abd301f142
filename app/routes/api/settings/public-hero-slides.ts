import { heroSlidesSchema } from '#shared/settings/hero-slides';
import { readHeroSlides } from '#shared/settings/read-settings';
import { call, endpoint } from '~/http/api/endpoint.server';
import { serverContext } from '~/http/server/context.server';

const api = endpoint('/api/settings/public/hero-slides', {
  GET: call({
    summary: 'Which slides the landing page shows',
    access: 'public',
    envelope: 'data',
    answer: heroSlidesSchema,
    run: () => readHeroSlides(serverContext().db),
  }),
});

export const loader = api.loader;
export const action = api.action;
