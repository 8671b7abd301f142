import type { WebhookContext } from '#shared/alerts/webhooks';
import { serverContext } from '../server/context.server';

/** What saving and testing a webhook stand on in this process. */
export function webhookContext(): WebhookContext & { appUrl: string } {
  const { db, keyring, discordWebhooks, clock, config } = serverContext();
  return {
    db,
    keyring,
    discord: discordWebhooks,
    allowedHosts: config.discord.webhookHosts,
    clock,
    appUrl: config.appUrl,
  };
}
