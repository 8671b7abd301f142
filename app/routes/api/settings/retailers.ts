import { z } from 'zod';
import { retailersSchema } from '#shared/settings/retailers';
import { setRetailers } from '#shared/settings/write-settings';
import { call, endpoint } from '~/http/api/endpoint.server';
import { serverContext } from '~/http/server/context.server';

const api = endpoint('/api/settings/retailers', {
  PUT: call({
    summary: 'Replaces the list of supported shops',
    access: 'admin',
    body: z.object({ retailers: retailersSchema }),
    envelope: 'data',
    answer: z.object({ retailers: z.array(z.string()) }),
    async run({ caller, body }) {
      const { db, clock } = serverContext();
      const actor = { userId: caller.account.id };
      return { retailers: await setRetailers(db, { retailers: body.retailers, actor, clock }) };
    },
  }),
});

export const loader = api.loader;
export const action = api.action;
