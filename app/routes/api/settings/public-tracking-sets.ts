import { readTrackingSets } from '#shared/settings/read-settings';
import { publicTrackingSets } from '#shared/settings/tracking-sets';
import { trackingSetsAnswer } from '~/http/api/schemas.server';
import { call, endpoint } from '~/http/api/endpoint.server';
import { serverContext } from '~/http/server/context.server';

const api = endpoint('/api/settings/public/tracking-sets', {
  GET: call({
    summary: 'The enabled tracking sets, in order',
    access: 'public',
    envelope: 'data',
    answer: trackingSetsAnswer,
    run: async () => publicTrackingSets(await readTrackingSets(serverContext().db)),
  }),
});

export const loader = api.loader;
export const action = api.action;
