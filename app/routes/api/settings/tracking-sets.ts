import { z } from 'zod';
import { trackingSetsSchema } from '#shared/settings/tracking-sets';
import { readTrackingSets } from '#shared/settings/read-settings';
import { setTrackingSets } from '#shared/settings/write-settings';
import { trackingSetsAnswer } from '~/http/api/schemas.server';
import { call, endpoint } from '~/http/api/endpoint.server';
import { serverContext } from '~/http/server/context.server';

const api = endpoint('/api/settings/tracking-sets', {
  GET: call({
    summary: 'The tracking sets, in order',
    access: 'admin',
    envelope: 'data',
    answer: trackingSetsAnswer,
    run: () => readTrackingSets(serverContext().db),
  }),
  PUT: call({
    summary: 'Replaces the tracking sets; they are renumbered from 1',
    access: 'admin',
    body: z.object({ config: trackingSetsSchema }),
    envelope: 'data',
    answer: trackingSetsAnswer,
    run({ caller, body }) {
      const { db, clock } = serverContext();
      return setTrackingSets(db, { config: body.config, actor: { userId: caller.account.id }, clock });
    },
  }),
});

export const loader = api.loader;
export const action = api.action;
