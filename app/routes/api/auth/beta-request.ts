import { z } from 'zod';
import { toProfile } from '#shared/accounts/profile';
import { requestBeta } from '#shared/beta/request-beta';
import { profileSchema } from '~/http/api/schemas.server';
import { call, endpoint } from '~/http/api/endpoint.server';
import { serverContext } from '~/http/server/context.server';

const api = endpoint('/api/auth/beta/request', {
  POST: call({
    summary: 'Asks for beta access',
    access: 'member',
    answer: z.object({ user: profileSchema }),
    failures: [409],
    limits: ({ caller }) => [{ limit: 'accountWrite', key: caller.account.id }],
    async run({ caller }) {
      const { db, clock } = serverContext();
      return { user: toProfile(await requestBeta(db, { accountId: caller.account.id, clock })) };
    },
  }),
});

export const loader = api.loader;
export const action = api.action;
