import { z } from 'zod';
import { approveBeta } from '#shared/beta/decide-beta';
import { betaUserParams, betaUserSchema } from '~/http/api/beta-schemas.server';
import { call, endpoint } from '~/http/api/endpoint.server';
import { serverContext } from '~/http/server/context.server';

const api = endpoint('/api/admin/beta/approve/{id}', {
  POST: call({
    summary: 'Approves a pending request for beta access',
    access: 'admin',
    params: betaUserParams,
    envelope: 'data',
    answer: z.object({ user: betaUserSchema }),
    failures: [409],
    async run({ caller, params }) {
      const { db, clock, mail } = serverContext();
      const actor = { userId: caller.account.id };
      return { user: await approveBeta(db, { accountId: params.id, actor, clock, mail }) };
    },
  }),
});

export const loader = api.loader;
export const action = api.action;
