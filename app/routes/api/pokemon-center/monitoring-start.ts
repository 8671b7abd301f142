import { startMonitoring } from '#shared/monitor/start-stop';
import { messageSchema } from '~/http/api/schemas.server';
import { call, endpoint } from '~/http/api/endpoint.server';
import { followMonitor } from '~/http/server/sync-scheduler.server';
import { serverContext } from '~/http/server/context.server';

const api = endpoint('/api/pokemon-center/monitoring/start', {
  POST: call({
    summary: 'Switches monitoring on; the same when it is on',
    access: 'admin',
    answer: messageSchema,
    async run({ caller }) {
      const { db, clock } = serverContext();
      const { message } = await startMonitoring(db, { actor: { userId: caller.account.id }, clock });
      await followMonitor();
      return { message };
    },
  }),
});

export const loader = api.loader;
export const action = api.action;
