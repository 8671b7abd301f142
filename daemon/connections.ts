import { createDiscordWebhooks, type DiscordWebhooks } from '#shared/channels/discord/discord-webhook.server';
import { createDiscordGuild, type DiscordGuild } from '#shared/channels/discord/discord-guild.server';
import type { Clock } from '#shared/clock';
import type { Config } from '#shared/config.server';
import type { Database } from '#shared/database/schema';
import type { Logger } from '#shared/logger.server';
import {
  ALERT_MAIL_CONNECTIONS_AT_MOST,
  createMailer,
  type Mailer,
} from '#shared/channels/email/mailer.server';
import { createPublicWeb, type PublicWeb } from '#shared/network/public-web.server';
import { connectQueues, connectRedis, type Queues } from '#shared/queues/connection.server';
import type { Redis } from 'ioredis';
import { createPageFetcher, type PageFetcher } from './waiting-room/fetch/fetch-page';

/** The connections of one daemon. Those beside the database connect in the background. */
export interface Connections {
  db: Database;
  queues: Queues;
  /** Blocks while workers wait for jobs, so it is not the one that adds jobs. */
  workerRedis: Redis;
  discord: DiscordWebhooks;
  /** Null: roles on Discord are switched off. */
  guild: DiscordGuild | null;
  /** Null: mail is switched off. */
  mailer: Mailer | null;
  /** Sends sign-in codes over separate connections, so that they wait for no other mail. */
  codeMailer: Mailer | null;
  /** Sends the alerts to all members. */
  alertMailer: Mailer | null;
  web: PublicWeb;
  fetcher: PageFetcher;
  /** Ends the attempts to send that are under way. Nothing can be sent afterwards. */
  abortSends(): void;
  /** Closes every connection, the database last. */
  close(): Promise<void>;
}

/** Opens the connections of the daemon beside `db`, which they are closed with. */
export function openConnections({
  db,
  config,
  prefix,
  clock,
  logger,
}: {
  db: Database;
  config: Config & { redisUrl: string };
  prefix: string;
  clock: Clock;
  logger: Logger;
}): Connections {
  const queues = connectQueues(config.redisUrl, { prefix, logger });
  const workerRedis = connectRedis(config.redisUrl, { role: 'worker' });
  workerRedis.on('error', () => {
    // The queues' own connection logs the loss for both.
  });
  const discord = createDiscordWebhooks({ appUrl: config.appUrl, now: clock.now });
  const { bot } = config.discord;
  const guild = bot === null ? null : createDiscordGuild(bot, { appUrl: config.appUrl, now: clock.now });
  const mailer = createMailer(config.mail);
  const codeMailer = createMailer(config.mail);
  const alertMailer = createMailer(config.mail, { connections: ALERT_MAIL_CONNECTIONS_AT_MOST });
  const web = createPublicWeb({ allowedPrivateHosts: config.allowedPrivateHosts });
  const fetcher = createPageFetcher(web);
  return {
    db,
    queues,
    workerRedis,
    discord,
    guild,
    mailer,
    codeMailer,
    alertMailer,
    web,
    fetcher,
    abortSends() {
      for (const pool of [mailer, codeMailer, alertMailer]) pool?.abort();
      void Promise.allSettled([discord.close(), guild?.close(), web.close()]);
    },
    async close() {
      await queues.close();
      workerRedis.disconnect();
      await Promise.allSettled([discord.close(), guild?.close(), fetcher.close(), web.close()]);
      for (const pool of [mailer, codeMailer, alertMailer]) pool?.close();
      await db.destroy();
    },
  };
}
