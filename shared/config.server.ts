import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { PRODUCT_NAME } from './brand';
import { findDatabaseFaults, readDatabaseConfig, type DatabaseConfig } from './database-config';
import { environmentSchema, type Environment } from './environment.server';
import { findProductionFaults, isLiveKey, type Given } from './production-faults.server';

/** The bot that gives roles on Discord. */
export interface DiscordBotConfig {
  token: string;
  guildId: string;
  /** Base of Discord's API, without a trailing slash. */
  apiUrl: string;
}

export interface DiscordOAuthConfig {
  clientId: string;
  clientSecret: string;
  /** The page that asks the user for consent. */
  authorizeUrl: string;
  /** Base of Discord's API, without a trailing slash. */
  apiUrl: string;
}

export interface StripeConfig {
  secretKey: string;
  /** For the browser. */
  publishableKey: string;
  /** Signs the events that Stripe sends. */
  webhookSecret: string;
  /** Base of Stripe's API, without a trailing slash. */
  apiUrl: string;
  /** The address of Stripe.js. */
  jsUrl: string;
}

/** The site's identity for passkeys. */
export interface PasskeyConfig {
  /** The relying party: the host name of the site. */
  rpId: string;
  origin: string;
}

export interface S3Config {
  /** Base of the S3 API, without a trailing slash and without the bucket. Downloads lead browsers to it. */
  url: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}

export interface Config {
  production: boolean;
  logLevel: string;
  /** Public base of the site, without a trailing slash. */
  appUrl: string;
  dataDir: string;
  database: DatabaseConfig;
  /** `null`: the web process answers without queues; the daemon refuses to start. */
  redisUrl: string | null;
  web: {
    port: number;
    /** The number of trusted proxies in front of the site, for the client's address. */
    trustProxy: number;
  };
  daemon: {
    port: number;
    /** The address or host name that the health port listens on. */
    host: string;
  };
  /** Newest first: the first one signs, all are accepted. Empty (never in production): `dataDir` holds one. */
  sessionSecrets: string[];
  /** Lower case. */
  adminEmails: string[];
  adminDiscordIds: string[];
  discord: {
    webhookHosts: string[];
    /** Discord's image CDN, without a trailing slash. */
    cdnUrl: string;
    /** `null`: no roles on Discord are changed. */
    bot: DiscordBotConfig | null;
    /** `null`: sign-in with Discord is switched off. */
    oauth: DiscordOAuthConfig | null;
  };
  /** `null`: browsers allow no passkeys at the address of the site. */
  passkeys: PasskeyConfig | null;
  /** `null`: mail is switched off. */
  mail: { smtpUrl: string; from: string } | null;
  /** `null`: payment is switched off. */
  stripe: StripeConfig | null;
  /** `null`: uploads and releases are stored in `dataDir`. */
  s3: S3Config | null;
  /** Hosts (`host` or `host:port`, lower case) in private networks that may be fetched from all the same. */
  allowedPrivateHosts: string[];
  /** The proxies of desktop tasks, as URLs. Empty: none are handed out. */
  proxyPool: string[];
  monitor: {
    targetUrl: string;
    /** `null`: the page is fetched directly. */
    scrappey: { apiKey: string; apiUrl: string } | null;
  };
}

/** All faults of the environment, as sentences that say what to set. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(
      `The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
    );
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

const DISCORD_KEYS = ['DISCORD_CLIENT_ID', 'DISCORD_CLIENT_SECRET'] as const;
const BOT_KEYS = ['DISCORD_BOT_TOKEN', 'DISCORD_GUILD_ID'] as const;
const STRIPE_KEYS = ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'] as const;
const S3_KEYS = ['S3_URL', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;

/** The faults that depend on several variables, by the variable to set. `env`: undefined when a variable is invalid. */
function findFaults(given: Given, env: Environment | undefined): Map<string, string> {
  // A fault of production replaces that of the database: it says more about the value.
  const faults = new Map([...findDatabaseFaults(given), ...findProductionFaults(given, env)]);
  const isSet = (name: string): boolean => given[name] !== undefined;
  /** One fault for each missing variable of a group that is set in part. */
  const requireAll = (names: readonly string[], begun: boolean, sentence: (name: string) => string): void => {
    if (begun) for (const name of names) if (!isSet(name)) faults.set(name, sentence(name));
  };

  requireAll(DISCORD_KEYS, DISCORD_KEYS.some(isSet), (name) => {
    const other = DISCORD_KEYS.find((key) => key !== name);
    return `${name} must be set together with ${other}: signing in with Discord needs both.`;
  });
  requireAll(BOT_KEYS, BOT_KEYS.some(isSet), (name) => {
    const other = BOT_KEYS.find((key) => key !== name);
    return `${name} must be set together with ${other}: roles on Discord need both.`;
  });
  requireAll(
    STRIPE_KEYS,
    STRIPE_KEYS.some(isSet),
    (name) => `${name} must be set: payment needs ${STRIPE_KEYS.join(', ')}.`,
  );
  requireAll(
    S3_KEYS,
    [...S3_KEYS, 'S3_REGION'].some(isSet),
    (name) => `${name} must be set: files are stored in S3 with ${S3_KEYS.join(', ')}.`,
  );
  if (
    env?.STRIPE_SECRET_KEY !== undefined &&
    env.STRIPE_PUBLISHABLE_KEY !== undefined &&
    isLiveKey(env.STRIPE_SECRET_KEY) !== isLiveKey(env.STRIPE_PUBLISHABLE_KEY)
  )
    faults.set(
      'STRIPE_PUBLISHABLE_KEY',
      'STRIPE_PUBLISHABLE_KEY and STRIPE_SECRET_KEY must both be test keys or both be live keys.',
    );
  if (isSet('PORT') && given.PORT === given.DAEMON_PORT)
    faults.set('DAEMON_PORT', 'DAEMON_PORT must differ from PORT.');
  return faults;
}

/** The variables of an optional group; null unless all of them are set. */
function groupOf<Name extends keyof Environment>(
  env: Environment,
  names: readonly Name[],
): { [N in Name]: NonNullable<Environment[N]> } | null {
  if (names.some((name) => env[name] === undefined)) return null;
  return env as { [N in Name]: NonNullable<Environment[N]> };
}

/** Browsers allow passkeys on https and on localhost, and never for an address of numbers (WebAuthn Level 3, section 5.1). */
function passkeysOf({ protocol, hostname, origin }: URL): PasskeyConfig | null {
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  const isAddress = isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0;
  return isAddress || (protocol !== 'https:' && !isLocal) ? null : { rpId: hostname, origin };
}

/** The only reader of `process.env`: validates and trims it; empty counts as unset. Throws `ConfigError`. */
export function readConfig(environment: Given = process.env): Config {
  const given: Given = Object.fromEntries(
    Object.entries(environment).flatMap(([name, value = '']) =>
      value.trim() === '' ? [] : [[name, value.trim()]],
    ),
  );
  const parsed = environmentSchema.safeParse(given);
  // The first fault of each variable; one that depends on several variables replaces it.
  const faults = new Map<string, string>();
  for (const { path, message } of parsed.error?.issues ?? []) {
    const name = String(path[0]);
    if (!faults.has(name)) faults.set(name, `${name} ${message}.`);
  }
  for (const [name, fault] of findFaults(given, parsed.data)) faults.set(name, fault);
  if (!parsed.success || faults.size > 0) throw new ConfigError([...faults.values()]);

  const env = parsed.data;
  const dataDir = resolve(env.DATA_DIR);
  const appUrl = env.APP_URL ?? `http://localhost:${env.PORT}`;
  const discord = groupOf(env, DISCORD_KEYS);
  const bot = groupOf(env, BOT_KEYS);
  const stripe = groupOf(env, STRIPE_KEYS);
  const s3 = groupOf(env, S3_KEYS);
  return {
    production: env.NODE_ENV === 'production',
    logLevel: env.LOG_LEVEL,
    appUrl,
    dataDir,
    database: readDatabaseConfig(env.DATABASE_URL, dataDir),
    redisUrl: env.REDIS_URL ?? null,
    web: { port: env.PORT, trustProxy: env.TRUST_PROXY },
    daemon: { port: env.DAEMON_PORT, host: env.DAEMON_HOST },
    sessionSecrets: env.SESSION_SECRET,
    adminEmails: env.ADMIN_EMAILS,
    adminDiscordIds: env.ADMIN_DISCORD_IDS,
    discord: {
      webhookHosts: env.DISCORD_WEBHOOK_HOSTS,
      cdnUrl: env.DISCORD_CDN_URL,
      bot: bot && {
        token: bot.DISCORD_BOT_TOKEN,
        guildId: bot.DISCORD_GUILD_ID,
        apiUrl: env.DISCORD_API_URL,
      },
      oauth: discord && {
        clientId: discord.DISCORD_CLIENT_ID,
        clientSecret: discord.DISCORD_CLIENT_SECRET,
        authorizeUrl: env.DISCORD_OAUTH_URL,
        apiUrl: env.DISCORD_API_URL,
      },
    },
    passkeys: passkeysOf(new URL(appUrl)),
    mail:
      env.SMTP_URL === undefined
        ? null
        : {
            smtpUrl: env.SMTP_URL,
            from: env.MAIL_FROM ?? `${PRODUCT_NAME} <no-reply@${new URL(appUrl).hostname}>`,
          },
    stripe: stripe && {
      secretKey: stripe.STRIPE_SECRET_KEY,
      publishableKey: stripe.STRIPE_PUBLISHABLE_KEY,
      webhookSecret: stripe.STRIPE_WEBHOOK_SECRET,
      apiUrl: env.STRIPE_API_URL,
      jsUrl: env.STRIPE_JS_URL,
    },
    s3: s3 && {
      url: s3.S3_URL,
      region: env.S3_REGION,
      bucket: s3.S3_BUCKET,
      accessKeyId: s3.S3_ACCESS_KEY_ID,
      secretAccessKey: s3.S3_SECRET_ACCESS_KEY,
    },
    allowedPrivateHosts: env.ALLOWED_PRIVATE_HOSTS,
    proxyPool: env.PROXY_POOL,
    monitor: {
      targetUrl: env.MONITOR_TARGET_URL,
      scrappey:
        env.SCRAPPEY_API_KEY === undefined
          ? null
          : { apiKey: env.SCRAPPEY_API_KEY, apiUrl: env.SCRAPPEY_API_URL },
    },
  };
}
