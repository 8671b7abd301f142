import { z } from 'zod';
import { listApprovedUsers } from '#shared/beta/beta-user';
import { betaUserSchema } from '~/http/api/beta-schemas.server';
import { call, endpoint } from '~/http/api/endpoint.server';
import { serverContext } from '~/http/server/context.server';

const api = endpoint('/api/admin/beta/approved', {
  GET: call({
    summary: 'Users with beta access, newest first',
    access: 'admin',
    envelope: 'data',
    answer: z.object({ users: z.array(betaUserSchema) }),
    run: async () => ({ users: await listApprovedUsers(serverContext().db) }),
  }),
});

export const loader = api.loader;
export const action = api.action;
