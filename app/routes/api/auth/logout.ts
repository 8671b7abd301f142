import { z } from 'zod';
import { call, endpoint } from '~/http/api/endpoint.server';
import { logoutCaller } from '~/http/auth/logout.server';
import { Reply } from '~/http/api/reply.server';

const api = endpoint('/api/auth/logout', {
  POST: call({
    summary: 'Ends the session that is shown; the same when there is none',
    access: 'public',
    answer: z.object({}),
    failures: [403],
    run: async ({ request }) => new Reply({}, { headers: await logoutCaller(request) }),
  }),
});

export const loader = api.loader;
export const action = api.action;
