import { z } from 'zod';
import { listedIdOf, listSessions } from '#shared/accounts/sessions';
import { call, endpoint } from '~/http/api/endpoint.server';
import { serverContext } from '~/http/server/context.server';

const sessionSchema = z.object({
  id: z.string(),
  current: z.boolean().describe('Whether this request came by it, or by the same browser’s other token.'),
  createdAt: z.string(),
  lastSeenAt: z.string(),
  userAgent: z.string().nullable(),
});

const api = endpoint('/api/auth/sessions', {
  GET: call({
    summary: 'Where the caller is signed in, the session used last first',
    access: 'member',
    answer: z.object({ sessions: z.array(sessionSchema) }),
    async run({ caller }) {
      const { db, clock } = serverContext();
      const sessions = await listSessions(db, { accountId: caller.account.id, clock });
      return {
        sessions: sessions.map((session) => ({
          id: session.id,
          current: session.id === listedIdOf(caller.session),
          createdAt: session.created_at,
          lastSeenAt: session.last_seen_at,
          userAgent: session.user_agent,
        })),
      };
    },
  }),
});

export const loader = api.loader;
export const action = api.action;
