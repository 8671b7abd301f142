import { z } from 'zod';
import { listChecks } from '#shared/monitor/list-checks';
import { monitorCheckSchema } from '~/http/api-schemas.server';
import { call, endpoint } from '~/http/endpoint.server';
import { serverContext } from '~/http/server-context.server';

const LONGEST_HOURS = 720;
const HOURS_RULE = `hours is a whole number from 1 to ${LONGEST_HOURS}.`;

const hours = z
  .string()
  .regex(/^\d{1,3}$/, HOURS_RULE)
  .transform(Number)
  .refine((number) => number >= 1 && number <= LONGEST_HOURS, HOURS_RULE)
  .default(24);

const api = endpoint('/api/pokemon-center/history', {
  GET: call({
    summary: 'The checks of the last hours, newest first, without the pages they saw',
    access: 'admin',
    query: z.object({ hours }),
    envelope: 'data',
    answer: z.object({ history: z.array(monitorCheckSchema) }),
    async run({ query }) {
      const { db, clock } = serverContext();
      return { history: await listChecks(db, { hours: query.hours, clock }) };
    },
  }),
});

export const loader = api.loader;
export const action = api.action;
