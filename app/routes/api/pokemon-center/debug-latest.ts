import { z } from 'zod';
import { findLatestDebug } from '#shared/monitor/latest-debug';
import { call, endpoint } from '~/http/api/endpoint.server';
import { serverContext } from '~/http/server/context.server';

const api = endpoint('/api/pokemon-center/debug/latest', {
  GET: call({
    summary: 'What the last check saw; null before the first',
    access: 'admin',
    envelope: 'data',
    answer: z
      .object({
        timestamp: z.string(),
        queueDetected: z.boolean(),
        responseTime: z.number().describe('Milliseconds.'),
        rawResponseLength: z.number().describe('In characters, of the whole answer.'),
        errorMessage: z.string().nullable(),
        rawResponse: z.string().nullable().describe('The beginning; null after a week.'),
      })
      .nullable(),
    run: () => findLatestDebug(serverContext().db),
  }),
});

export const loader = api.loader;
export const action = api.action;
