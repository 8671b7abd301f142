import { z } from 'zod';
import { revokeSession } from '#shared/accounts/sessions';
import { call, endpoint } from '~/http/api/endpoint.server';
import { serverContext } from '~/http/server/context.server';

const api = endpoint('/api/auth/sessions/{id}', {
  DELETE: call({
    summary: 'Signs the caller out elsewhere',
    access: 'member',
    params: z.object({ id: z.string().max(64) }),
    answer: z.object({}),
    async run({ caller, params }) {
      await revokeSession(serverContext().db, { accountId: caller.account.id, sessionId: params.id });
      return {};
    },
  }),
});

export const loader = api.loader;
export const action = api.action;
