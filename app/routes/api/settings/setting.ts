import { z } from 'zod';
import { writeSetting } from '#shared/settings/write-settings';
import { call, endpoint } from '~/http/api/endpoint.server';
import { serverContext } from '~/http/server/context.server';

const api = endpoint('/api/settings/{key}', {
  PUT: call({
    summary: 'Stores a setting under its key; settings with a call of their own are refused',
    access: 'admin',
    params: z.object({ key: z.string() }),
    body: z.object({ value: z.string(), description: z.string().optional() }),
    failures: [409],
    envelope: 'data',
    answer: z.object({ key: z.string(), value: z.string(), description: z.string().nullable() }),
    run({ caller, params, body }) {
      const { db, clock } = serverContext();
      return writeSetting(db, { key: params.key, ...body, actor: { userId: caller.account.id }, clock });
    },
  }),
});

export const loader = api.loader;
export const action = api.action;
