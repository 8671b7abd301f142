import { z } from 'zod';
import { revokeBeta } from '#shared/beta/decide-beta';
import { betaUserParams, betaUserSchema } from '~/http/api/beta-schemas.server';
import { call, endpoint } from '~/http/api/endpoint.server';
import { serverContext } from '~/http/server/context.server';

const api = endpoint('/api/admin/beta/revoke/{id}', {
  POST: call({
    summary: 'Revokes beta access; the user may request it again',
    access: 'admin',
    params: betaUserParams,
    envelope: 'data',
    answer: z.object({ user: betaUserSchema }),
    failures: [409],
    async run({ caller, params }) {
      const { db, clock } = serverContext();
      const actor = { userId: caller.account.id };
      return { user: await revokeBeta(db, { accountId: params.id, actor, clock }) };
    },
  }),
});

export const loader = api.loader;
export const action = api.action;
