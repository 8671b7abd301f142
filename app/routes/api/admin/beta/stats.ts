import { readBetaStats } from '#shared/beta/beta-stats';
import { betaStatsSchema } from '~/http/api/beta-schemas.server';
import { call, endpoint } from '~/http/api/endpoint.server';
import { serverContext } from '~/http/server/context.server';

const api = endpoint('/api/admin/beta/stats', {
  GET: call({
    summary: 'Beta access statistics',
    access: 'admin',
    envelope: 'data',
    answer: betaStatsSchema,
    run: () => readBetaStats(serverContext().db),
  }),
});

export const loader = api.loader;
export const action = api.action;
