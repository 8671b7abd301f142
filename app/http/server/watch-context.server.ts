import type { WatchContext } from '#shared/monitor/watches/add-watch.server';
import { serverContext } from './context.server';

/** What the rules of watches and of their webhooks need, from the context of the process. */
export function watchContext(): WatchContext & { appUrl: string } {
  const { db, keyring, discordWebhooks, web, queues, clock, config } = serverContext();
  return {
    db,
    keyring,
    discord: discordWebhooks,
    allowedHosts: config.discord.webhookHosts,
    web,
    targetUrl: config.monitor.targetUrl,
    queues,
    clock,
    appUrl: config.appUrl,
  };
}
