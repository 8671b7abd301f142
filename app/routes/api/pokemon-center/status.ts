import { z } from 'zod';
import { readMonitorStatus } from '#shared/monitor/read-status.server';
import { VERDICTS } from '#shared/monitor/verdict';
import { call, endpoint } from '~/http/api/endpoint.server';
import { serverContext } from '~/http/server/context.server';

const api = endpoint('/api/pokemon-center/status', {
  GET: call({
    summary: 'How the monitor and the shop stand',
    access: 'admin',
    envelope: 'data',
    answer: z.object({
      queueActive: z.boolean().describe('Whether an alert is open.'),
      lastCheck: z.string().nullable(),
      withinHours: z.boolean(),
      state: z.enum(VERDICTS).describe('The verdict of the last check.'),
      scheduler: z.object({
        running: z.boolean(),
        intervalSeconds: z.number(),
        nextCheck: z.string().nullable(),
      }),
      daemon: z.object({ online: z.boolean(), lastHeartbeat: z.string().nullable() }),
    }),
    run() {
      const { db, clock } = serverContext();
      return readMonitorStatus(db, clock);
    },
  }),
});

export const loader = api.loader;
export const action = api.action;
