import { z } from 'zod';
import { listPendingUsers } from '#shared/beta/beta-user';
import { betaUserSchema } from '~/http/api/beta-schemas.server';
import { call, endpoint } from '~/http/api/endpoint.server';
import { serverContext } from '~/http/server/context.server';

const api = endpoint('/api/admin/beta/pending', {
  GET: call({
    summary: 'Users waiting for beta access, longest wait first',
    access: 'admin',
    envelope: 'data',
    answer: z.object({ users: z.array(betaUserSchema) }),
    run: async () => ({ users: await listPendingUsers(serverContext().db) }),
  }),
});

export const loader = api.loader;
export const action = api.action;
