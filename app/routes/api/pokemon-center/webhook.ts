import { z } from 'zod';
import { AUDIENCES, deleteWebhook, setWebhook } from '#shared/alerts/webhooks';
import { messageSchema } from '~/http/api/schemas.server';
import { call, endpoint } from '~/http/api/endpoint.server';
import { serverContext } from '~/http/server/context.server';
import { webhookContext } from '~/http/api/webhook-context.server';

const audience = z.enum(AUDIENCES).default('instant');

const api = endpoint('/api/pokemon-center/webhook', {
  PUT: call({
    summary: 'Sets an audience’s webhook, once Discord has confirmed that it exists',
    access: 'admin',
    body: z.object({ webhook_url: z.string(), audience }),
    answer: messageSchema,
    failures: [502],
    limits: ({ caller }) => [{ limit: 'webhookSave', key: caller.account.id }],
    async run({ caller, body }) {
      const actor = { userId: caller.account.id };
      await setWebhook(webhookContext(), { audience: body.audience, url: body.webhook_url, actor });
      return { message: 'Webhook URL updated successfully!' };
    },
  }),
  DELETE: call({
    summary: 'Forgets an audience’s webhook; the same when there is none',
    access: 'admin',
    query: z.object({ audience }),
    answer: messageSchema,
    async run({ caller, query }) {
      const { db, clock } = serverContext();
      const actor = { userId: caller.account.id };
      await deleteWebhook(db, { audience: query.audience, actor, clock });
      return { message: 'The webhook is forgotten.' };
    },
  }),
});

export const loader = api.loader;
export const action = api.action;
