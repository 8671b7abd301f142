import { z } from 'zod';
import { listRetailers } from '#shared/settings/read-settings';
import { call, endpoint } from '~/http/api/endpoint.server';
import { serverContext } from '~/http/server/context.server';

const api = endpoint('/api/settings/public/retailers', {
  GET: call({
    summary: 'The supported shops',
    access: 'public',
    envelope: 'data',
    answer: z.object({ retailers: z.array(z.string()) }),
    run: async () => ({ retailers: await listRetailers(serverContext().db) }),
  }),
});

export const loader = api.loader;
export const action = api.action;
