import { resolve } from 'node:path';
import { z } from 'zod';
import { PRODUCT_NAME } from './brand';

/** Discord's own webhook hosts; a person may list others in DISCORD_WEBHOOK_HOSTS. */
const DISCORD_HOSTS = 'discord.com,discordapp.com,ptb.discord.com,canary.discord.com';
const DISCORD_OAUTH = 'https://discord.com/oauth2/authorize';
const DISCORD_API = 'https://discord.com/api/v10';
const DISCORD_CDN = 'https://cdn.discordapp.com';
const STRIPE_API = 'https://api.stripe.com';
/** Stripe.js of the release that `shared/payments/stripe-client.server.ts` pins. */
const STRIPE_JS = 'https://js.stripe.com/endive/stripe.js';
const SCRAPPEY_API = 'https://publisher.scrappey.com/api/v1';
const SHOP_PAGE = 'https://www.pokemoncenter.com/en-gb';
const MIN_SECRET_LENGTH = 16;

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
  /** Absolute path of the SQLite file. */
  databaseFile: string;
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
    /** `null`: sign-in with Discord is switched off. */
    oauth: DiscordOAuthConfig | null;
  };
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

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function isProxyUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, port } = new URL(text);
  return (
    /^(https?|socks[45]):$/.test(protocol) && hostname !== '' && (port !== '' || protocol.startsWith('http'))
  );
}

const httpUrl = z.string().refine(isHttpUrl, 'must be an http:// or https:// address');

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port number from 1 to 65535')
  .transform(Number)
  .refine((number) => number >= 1 && number <= 65_535, 'must be a port number from 1 to 65535');

const commaList = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);

const hostList = commaList.pipe(
  z.array(
    z
      .string()
      .regex(
        /^[a-z0-9.-]+(:\d{1,5})?$|^\[[0-9a-f:]+\](:\d{1,5})?$/i,
        'must be host or host:port, separated by commas',
      ),
  ),
);

const environmentSchema = z.object({
  NODE_ENV: z
    .enum(['development', 'production', 'test'], 'must be development, production or test')
    .default('development'),
  SANDBOX: z.enum(['0', '1'], 'must be 1 or 0').default('0'),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be fatal, error, warn, info, debug, trace or silent',
    )
    .default('info'),
  PORT: port.default(3000),
  DAEMON_PORT: port.default(3001),
  DAEMON_HOST: z
    .string()
    .regex(/^[a-z0-9.:-]+$/i, 'must be the address to listen on, such as 127.0.0.1, 0.0.0.0 or ::')
    .default('127.0.0.1'),
  APP_URL: httpUrl.optional(),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: z
    .string()
    .regex(/^file:.+/, 'must begin with file: followed by the path of the SQLite file')
    .optional(),
  REDIS_URL: z
    .string()
    .regex(/^(rediss?|unix):\/\/.+/, 'must be a redis://, rediss:// or unix:// address')
    .optional(),
  TRUST_PROXY: z
    .string()
    .regex(/^\d$/, 'must be the number of proxies in front of the site, 0 to 9')
    .transform(Number)
    .default(0),
  SESSION_SECRET: commaList.default([]),
  ADMIN_EMAILS: commaList.pipe(z.array(z.email('must be mail addresses separated by commas'))).default([]),
  ADMIN_DISCORD_IDS: commaList
    .pipe(z.array(z.string().regex(/^\d{1,20}$/, 'must be Discord user ids separated by commas')))
    .default([]),
  DISCORD_CLIENT_ID: z.string().optional(),
  DISCORD_CLIENT_SECRET: z.string().optional(),
  DISCORD_OAUTH_URL: httpUrl.default(DISCORD_OAUTH),
  DISCORD_API_URL: httpUrl.default(DISCORD_API),
  DISCORD_CDN_URL: httpUrl.default(DISCORD_CDN),
  DISCORD_WEBHOOK_HOSTS: hostList.default(DISCORD_HOSTS.split(',')),
  ALLOWED_PRIVATE_HOSTS: hostList.default([]),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/.+/, 'must be an smtp:// or smtps:// address')
    .optional(),
  MAIL_FROM: z.string().optional(),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(
      /^[sr]k_(test|live)_/,
      'must be a secret key, which begins with sk_test_, sk_live_, rk_test_ or rk_live_',
    )
    .optional(),
  STRIPE_PUBLISHABLE_KEY: z
    .string()
    .regex(/^pk_(test|live)_/, 'must be a publishable key, which begins with pk_test_ or pk_live_')
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_/, 'must be the secret of the webhook endpoint, which begins with whsec_')
    .optional(),
  STRIPE_API_URL: httpUrl.default(STRIPE_API),
  STRIPE_JS_URL: httpUrl.default(STRIPE_JS),
  S3_URL: httpUrl
    .refine((text) => !/[?#]/.test(text), 'must be the base of the S3 API, without the bucket')
    .optional(),
  S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'must be the name of a region, such as eu-west-2')
    .default('us-east-1'),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional(),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  PROXY_POOL: commaList
    .pipe(
      z.array(
        z
          .string()
          .refine(isProxyUrl, 'must be proxies such as http://user:password@host:port, separated by commas'),
      ),
    )
    .default([]),
  SCRAPPEY_API_KEY: z.string().optional(),
  SCRAPPEY_API_URL: httpUrl.default(SCRAPPEY_API),
  MONITOR_TARGET_URL: httpUrl.default(SHOP_PAGE),
});

const STRIPE_KEYS = ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'] as const;

const S3_KEYS = ['S3_URL', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;

/** Whether a Stripe key moves real money. */
export function isLiveKey(key: string): boolean {
  return /^[a-z]+_live_/.test(key);
}

/**
 * Reads and validates the whole environment; the only reader of `process.env`. An empty value counts as unset. Throws
 * `ConfigError` with all faults.
 */
export function readConfig(environment: Record<string, string | undefined> = process.env): Config {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const parsed = environmentSchema.safeParse(given);
  const faults = new Map<string, string>();
  if (!parsed.success) {
    for (const issue of parsed.error.issues) {
      const name = String(issue.path[0]);
      if (!faults.has(name)) faults.set(name, `${name} ${issue.message}.`);
    }
  }

  const production = given.NODE_ENV === 'production';
  const strict = production && given.SANDBOX !== '1';
  if (strict) {
    if (given.APP_URL === undefined)
      faults.set(
        'APP_URL',
        'APP_URL must be set in production: the public address of the site, such as https://packwatch.example.',
      );
    if (given.REDIS_URL === undefined)
      faults.set(
        'REDIS_URL',
        'REDIS_URL must be set in production: where the queues live, such as redis://127.0.0.1:6379.',
      );
  }
  if (strict && (given.SESSION_SECRET === undefined || parsed.data?.SESSION_SECRET.length === 0)) {
    faults.set(
      'SESSION_SECRET',
      'SESSION_SECRET must be set in production: a long random text, such as "openssl rand -base64 32" prints. To change it, put the new one before the old, separated by a comma.',
    );
  } else if (strict && parsed.data?.SESSION_SECRET.some((secret) => secret.length < MIN_SECRET_LENGTH)) {
    faults.set(
      'SESSION_SECRET',
      `SESSION_SECRET is too short: each secret needs at least ${MIN_SECRET_LENGTH} characters.`,
    );
  }
  for (const [name, other] of [
    ['DISCORD_CLIENT_ID', 'DISCORD_CLIENT_SECRET'],
    ['DISCORD_CLIENT_SECRET', 'DISCORD_CLIENT_ID'],
  ] as const) {
    if (given[name] === undefined && given[other] !== undefined)
      faults.set(name, `${name} must be set together with ${other}: signing in with Discord needs both.`);
  }
  const missingStripe = STRIPE_KEYS.filter((name) => given[name] === undefined);
  if (missingStripe.length > 0 && missingStripe.length < STRIPE_KEYS.length) {
    for (const name of missingStripe)
      faults.set(name, `${name} must be set: payment needs ${STRIPE_KEYS.join(', ')}.`);
  }
  const missingS3 = S3_KEYS.filter((name) => given[name] === undefined);
  if (missingS3.length > 0 && (missingS3.length < S3_KEYS.length || given.S3_REGION !== undefined)) {
    for (const name of missingS3)
      faults.set(name, `${name} must be set: files are stored in S3 with ${S3_KEYS.join(', ')}.`);
  }
  if (
    parsed.data?.STRIPE_SECRET_KEY !== undefined &&
    parsed.data.STRIPE_PUBLISHABLE_KEY !== undefined &&
    isLiveKey(parsed.data.STRIPE_SECRET_KEY) !== isLiveKey(parsed.data.STRIPE_PUBLISHABLE_KEY)
  )
    faults.set(
      'STRIPE_PUBLISHABLE_KEY',
      'STRIPE_PUBLISHABLE_KEY and STRIPE_SECRET_KEY must both be test keys or both be live keys.',
    );
  if (given.PORT !== undefined && given.PORT === given.DAEMON_PORT) {
    faults.set('DAEMON_PORT', 'DAEMON_PORT must differ from PORT.');
  }
  if (!parsed.success || faults.size > 0) throw new ConfigError([...faults.values()]);

  const env = parsed.data;
  const dataDir = resolve(env.DATA_DIR);
  const appUrl = (env.APP_URL ?? `http://localhost:${env.PORT}`).replace(/\/+$/, '');
  return {
    production,
    logLevel: env.LOG_LEVEL,
    appUrl,
    dataDir,
    databaseFile:
      env.DATABASE_URL === undefined
        ? resolve(dataDir, 'packwatch.db')
        : resolve(env.DATABASE_URL.slice('file:'.length)),
    redisUrl: env.REDIS_URL ?? null,
    web: { port: env.PORT, trustProxy: env.TRUST_PROXY },
    daemon: { port: env.DAEMON_PORT, host: env.DAEMON_HOST },
    sessionSecrets: env.SESSION_SECRET,
    adminEmails: env.ADMIN_EMAILS.map((email) => email.toLowerCase()),
    adminDiscordIds: env.ADMIN_DISCORD_IDS,
    discord: {
      webhookHosts: env.DISCORD_WEBHOOK_HOSTS.map((host) => host.toLowerCase()),
      cdnUrl: env.DISCORD_CDN_URL.replace(/\/+$/, ''),
      oauth:
        env.DISCORD_CLIENT_ID === undefined || env.DISCORD_CLIENT_SECRET === undefined
          ? null
          : {
              clientId: env.DISCORD_CLIENT_ID,
              clientSecret: env.DISCORD_CLIENT_SECRET,
              authorizeUrl: env.DISCORD_OAUTH_URL,
              apiUrl: env.DISCORD_API_URL.replace(/\/+$/, ''),
            },
    },
    mail:
      env.SMTP_URL === undefined
        ? null
        : {
            smtpUrl: env.SMTP_URL,
            from: env.MAIL_FROM ?? `${PRODUCT_NAME} <no-reply@${new URL(appUrl).hostname}>`,
          },
    stripe:
      env.STRIPE_SECRET_KEY === undefined ||
      env.STRIPE_PUBLISHABLE_KEY === undefined ||
      env.STRIPE_WEBHOOK_SECRET === undefined
        ? null
        : {
            secretKey: env.STRIPE_SECRET_KEY,
            publishableKey: env.STRIPE_PUBLISHABLE_KEY,
            webhookSecret: env.STRIPE_WEBHOOK_SECRET,
            apiUrl: env.STRIPE_API_URL.replace(/\/+$/, ''),
            jsUrl: env.STRIPE_JS_URL,
          },
    s3:
      env.S3_URL === undefined ||
      env.S3_BUCKET === undefined ||
      env.S3_ACCESS_KEY_ID === undefined ||
      env.S3_SECRET_ACCESS_KEY === undefined
        ? null
        : {
            url: env.S3_URL.replace(/\/+$/, ''),
            region: env.S3_REGION,
            bucket: env.S3_BUCKET,
            accessKeyId: env.S3_ACCESS_KEY_ID,
            secretAccessKey: env.S3_SECRET_ACCESS_KEY,
          },
    allowedPrivateHosts: env.ALLOWED_PRIVATE_HOSTS.map((host) => host.toLowerCase()),
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
