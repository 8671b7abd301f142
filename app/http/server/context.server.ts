import type { Redis } from 'ioredis';
import { createDiscordImages, type DiscordImages } from '#shared/accounts/discord/discord-images.server';
import { createPasswordHasher, type PasswordHasher } from '#shared/accounts/passwords/password-hasher.server';
import { createDiscordGuild } from '#shared/channels/discord/discord-guild.server';
import { createServerJoins, type ServerJoins } from '#shared/role-sync/join-server.server';
import { createDiscordWebhooks, type DiscordWebhooks } from '#shared/channels/discord/discord-webhook.server';
import { readConfig, type Config } from '#shared/config.server';
import { openDatabase } from '#shared/database/connection.server';
import { createDatabaseClock, type DatabaseClock } from '#shared/database/database-clock';
import { createOutageLog, type OutageLog } from '#shared/database/outage-log';
import type { Database } from '#shared/database/schema';
import { openKeyring, type Keyring } from '#shared/secrets.server';
import { createLogger, type Logger } from '#shared/logger.server';
import type { MailOutbox } from '#shared/mail/mails';
import { createPublicWeb, type PublicWeb } from '#shared/network/public-web.server';
import { createPaymentsContext } from '#shared/payments/create-payments-context.server';
import type { PaymentsContext } from '#shared/payments/payments-context';
import { QUEUE_PREFIX } from '#shared/queues/catalogue';
import { connectQueues, type Queues } from '#shared/queues/connection.server';
import { createRedisPing } from '#shared/queues/redis-ping.server';
import { openStorage } from '#shared/storage/open-storage.server';
import type { FileStorage } from '#shared/storage/storage';
import { createStorageProbe } from '#shared/storage/storage-probe';
import { createRateLimits, type RateLimits } from './rate-limits.server';
import { createLoaderCache, type LoaderCache } from './loader-cache.server';
import { createPageVersions, type PageVersions } from './page-versions.server';
import { requestLogFields } from './request-context.server';

/** The objects that all loaders and actions of this process share. */
export interface ServerContext {
  config: Config;
  log: Logger;
  db: Database;
  /** For failed reads that a page can do without. */
  outages: OutageLog;
  /** Null without REDIS_URL: pages work, queues do not. */
  redis: Redis | null;
  /** Whether Redis answers; at most a second old, after 1.5 s at most. */
  pingRedis: () => Promise<boolean>;
  /** They use the same connection. */
  queues: Queues | null;
  keyring: Keyring;
  passwords: PasswordHasher;
  mail: MailOutbox;
  payments: PaymentsContext;
  limits: RateLimits;
  discordWebhooks: DiscordWebhooks;
  discordImages: DiscordImages;
  serverJoins: ServerJoins;
  /** Requests to addresses that people enter. */
  web: PublicWeb;
  /** Uploaded files. */
  storage: FileStorage;
  /** Files of releases. */
  releaseStorage: FileStorage;
  /** Why files cannot be stored, for operators, or null; at most ten seconds old. */
  findFileFault: () => Promise<string | null>;
  pageVersions: PageVersions;
  loaderCache: LoaderCache;
  /** Measures the database's after `clock.start()`. */
  clock: DatabaseClock;
}

// On globalThis, because the dev server evaluates this module again after each change.
const KEY = Symbol.for('packwatch.server-context');
const holder = globalThis as typeof globalThis & { [KEY]?: ServerContext };

function createServerContext(): ServerContext {
  const config = readConfig();
  const log = createLogger(config, 'web', requestLogFields);
  const queues = config.redisUrl === null ? null : connectQueues(config.redisUrl, { logger: log });
  const redis = queues?.redis ?? null;
  const db = openDatabase(config.database);
  const clock = createDatabaseClock(db);
  const payments = createPaymentsContext(db, config, clock, queues);
  const pageVersions = createPageVersions(db, clock);
  const storage = openStorage(config, 'uploads');
  const releaseStorage = openStorage(config, 'releases');
  return {
    config,
    log,
    db,
    outages: createOutageLog(db, log),
    redis,
    pingRedis: redis === null ? () => Promise.resolve(false) : createRedisPing(redis),
    queues,
    keyring: openKeyring(config),
    passwords: createPasswordHasher(),
    mail: payments.mail,
    payments,
    limits: createRateLimits({ redis, prefix: QUEUE_PREFIX, log }),
    discordWebhooks: createDiscordWebhooks({ appUrl: config.appUrl, now: clock.now }),
    discordImages: createDiscordImages({
      db,
      storage,
      clock,
      log,
      cdnUrl: config.discord.cdnUrl,
    }),
    serverJoins: createServerJoins({
      db,
      clock,
      log,
      guild:
        config.discord.bot === null
          ? null
          : createDiscordGuild(config.discord.bot, { appUrl: config.appUrl, now: clock.now }),
    }),
    web: createPublicWeb({ allowedPrivateHosts: config.allowedPrivateHosts }),
    pageVersions,
    loaderCache: createLoaderCache(pageVersions),
    storage,
    releaseStorage,
    findFileFault: createStorageProbe([storage, releaseStorage]),
    clock,
  };
}

/** The context of the process, created on the first call. Throws `ConfigError` for an invalid environment. */
export function serverContext(): ServerContext {
  return (holder[KEY] ??= createServerContext());
}

/** The context of operations and watch rules, from the context of the process. */
export function operationContext() {
  const context = serverContext();
  const { discord, monitor, allowedPrivateHosts, proxyPool, appUrl, redisUrl } = context.config;
  return {
    ...context,
    discord: context.discordWebhooks,
    allowedHosts: discord.webhookHosts,
    targetUrl: monitor.targetUrl,
    allowedPrivateHosts,
    proxyPool,
    appUrl,
    redisUrl,
  };
}

export type OperationContext = ReturnType<typeof operationContext>;

/** Closes the database and Redis. A later `serverContext()` opens them again. */
export async function closeServerContext(): Promise<void> {
  const context = holder[KEY];
  if (context === undefined) return;
  delete holder[KEY];
  await context.queues?.close();
  await context.discordWebhooks.close();
  await context.discordImages.close();
  await context.serverJoins.close();
  await context.web.close();
  await context.clock.stop();
  await context.db.destroy();
}
