import { z } from 'zod';
import { DomainError } from '#shared/errors';
import { requestCheck } from '#shared/monitor/request-check.server';
import { monitorCheckSchema } from '~/http/api/schemas.server';
import { call, endpoint } from '~/http/api/endpoint.server';
import { Reply } from '~/http/api/reply.server';
import { serverContext } from '~/http/server/context.server';

/** The refusal of the specification; why, is for the log. */
function failedToTrigger(cause: unknown): DomainError {
  return new DomainError('Unavailable', { code: 'check_failed', message: 'Failed to trigger check', cause });
}

const api = endpoint('/api/pokemon-center/check', {
  POST: call({
    summary: 'Checks the shop now; 202 when that takes longer than a caller waits',
    access: 'admin',
    envelope: 'data',
    answer: z.object({ check: monitorCheckSchema }),
    otherAnswers: { 202: z.object({ queued: z.literal(true) }) },
    failures: [503],
    limits: ({ caller }) => [{ limit: 'checkNow', key: caller.account.id }],
    async run() {
      const { db, queues, clock, config } = serverContext();
      if (queues === null || config.redisUrl === null) throw failedToTrigger(new Error('no Redis is set'));
      try {
        const check = await requestCheck({ db, queues, redisUrl: config.redisUrl, clock });
        return check === null ? new Reply({ queued: true }, { status: 202 }) : { check };
      } catch (error) {
        throw error instanceof DomainError ? failedToTrigger(error) : error;
      }
    },
  }),
});

export const loader = api.loader;
export const action = api.action;
