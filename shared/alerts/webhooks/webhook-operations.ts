import { z } from 'zod';
import { operation, type Admin } from '../../operation';
import { AUDIENCES, deleteWebhook, sendTestAlert, setWebhook, type WebhookContext } from './webhooks';

/** The webhook of an audience, of a retailer or else of a watch. */
const webhook = z.object({
  retailerId: z.string().optional(),
  watchId: z.string().optional(),
  audience: z.enum(AUDIENCES),
});

export const webhookOperations = {
  set: operation({
    access: 'admin',
    limit: 'webhookSave',
    input: webhook.extend({ webhook_url: z.string() }),
    run: (context: WebhookContext, { actor }: Admin, { webhook_url: url, ...key }) =>
      setWebhook(context, { ...key, url, actor }),
    sentence: 'Webhook URL updated successfully!',
  }),
  remove: operation({
    access: 'admin',
    input: webhook,
    run: ({ db, clock }: Pick<WebhookContext, 'db' | 'clock'>, { actor }: Admin, key) =>
      deleteWebhook(db, { ...key, actor, clock }),
    sentence: 'Webhook removed.',
  }),
  test: operation({
    access: 'admin',
    limit: 'webhookTest',
    input: webhook,
    run: (context: WebhookContext & { appUrl: string }, _admin: Admin, key) => sendTestAlert(context, key),
    sentence: 'Test alert sent successfully!',
  }),
};
