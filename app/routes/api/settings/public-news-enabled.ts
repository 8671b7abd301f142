import { z } from 'zod';
import { isNewsEnabled } from '#shared/settings/read-settings';
import { call, endpoint } from '~/http/api/endpoint.server';
import { serverContext } from '~/http/server/context.server';

const api = endpoint('/api/settings/public/news-enabled', {
  GET: call({
    summary: 'Whether the News section is shown',
    access: 'public',
    envelope: 'data',
    answer: z.object({ enabled: z.boolean() }),
    run: async () => ({ enabled: await isNewsEnabled(serverContext().db) }),
  }),
});

export const loader = api.loader;
export const action = api.action;
