import { z } from 'zod';
import { AUDIENCES, sendTestAlert } from '#shared/alerts/webhooks';
import { DomainError } from '#shared/errors';
import { messageSchema } from '~/http/api/schemas.server';
import { call, endpoint } from '~/http/api/endpoint.server';
import { webhookContext } from '~/http/api/webhook-context.server';

const api = endpoint('/api/pokemon-center/webhook/test', {
  POST: call({
    summary: 'Posts a test message to an audience’s webhook',
    access: 'admin',
    body: z.object({ audience: z.enum(AUDIENCES).default('instant') }),
    answer: messageSchema,
    failures: [404, 502],
    limits: ({ caller }) => [{ limit: 'webhookTest', key: caller.account.id }],
    async run({ body }) {
      try {
        await sendTestAlert(webhookContext(), body.audience);
      } catch (error) {
        if (!(error instanceof DomainError) || error.kind !== 'BadGateway') throw error;
        throw new DomainError('BadGateway', {
          code: error.code,
          message: 'Failed to send test alert',
          cause: error,
        });
      }
      return { message: 'Test alert sent successfully!' };
    },
  }),
});

export const loader = api.loader;
export const action = api.action;
