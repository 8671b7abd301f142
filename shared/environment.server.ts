import { z } from 'zod';
import { isDatabaseAddress } from './database-config';

/** Discord's own webhook hosts; operators may list others in DISCORD_WEBHOOK_HOSTS. */
const DISCORD_HOSTS = 'discord.com,discordapp.com,ptb.discord.com,canary.discord.com';
const DISCORD_OAUTH = 'https://discord.com/oauth2/authorize';
const DISCORD_API = 'https://discord.com/api/v10';
const DISCORD_CDN = 'https://cdn.discordapp.com';
const STRIPE_API = 'https://api.stripe.com';
/** Stripe.js of the release that `shared/payments/stripe-client.server.ts` pins. */
const STRIPE_JS = 'https://js.stripe.com/endive/stripe.js';
const SCRAPPEY_API = 'https://publisher.scrappey.com/api/v1';
const SHOP_PAGE = 'https://www.pokemoncenter.com/en-gb';

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

/** The base of an API, without a trailing slash. */
const baseUrl = httpUrl.transform((text) => text.replace(/(?<!\/)\/+$/, ''));

/** An address without a path, a query or a user. */
const isSite = (text: string): boolean => new URL(text).href === `${new URL(text).origin}/`;

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

const lowerCase = (texts: string[]): string[] => texts.map((text) => text.toLowerCase());

/** In lower case. */
const hostList = commaList
  .transform(lowerCase)
  .pipe(
    z.array(
      z
        .string()
        .regex(
          /^[a-z0-9.-]+(:\d{1,5})?$|^\[[0-9a-f:]+\](:\d{1,5})?$/,
          'must be host or host:port, separated by commas',
        ),
    ),
  );

/** The variables of the environment, each parsed separately. The messages follow the name of the variable. */
export const environmentSchema = z.object({
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
  APP_URL: baseUrl
    .refine(
      (text) => !isHttpUrl(text) || isSite(text),
      'must be the address of the site alone, such as https://packwatch.example, without a path',
    )
    .optional(),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: z
    .string()
    .refine(
      isDatabaseAddress,
      'must be file: followed by the path of the SQLite file, or postgres://USER:PASSWORD@HOST/DATABASE',
    )
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
  ADMIN_EMAILS: commaList
    .pipe(z.array(z.email('must be email addresses separated by commas')).transform(lowerCase))
    .default([]),
  ADMIN_DISCORD_IDS: commaList
    .pipe(z.array(z.string().regex(/^\d{1,20}$/, 'must be Discord user ids separated by commas')))
    .default([]),
  DISCORD_CLIENT_ID: z.string().optional(),
  DISCORD_CLIENT_SECRET: z.string().optional(),
  DISCORD_BOT_TOKEN: z
    .string()
    .regex(/^[\w.-]{10,200}$/, 'must be the token of the application’s Bot page, without “Bot ” before it')
    .optional(),
  DISCORD_GUILD_ID: z
    .string()
    .regex(/^\d{1,20}$/, 'must be the id of the server, which is a number')
    .optional(),
  DISCORD_OAUTH_URL: httpUrl.default(DISCORD_OAUTH),
  DISCORD_API_URL: baseUrl.default(DISCORD_API),
  DISCORD_CDN_URL: baseUrl.default(DISCORD_CDN),
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
    .regex(/^whsec_./, 'must be the secret of the webhook endpoint, which begins with whsec_')
    .optional(),
  STRIPE_API_URL: baseUrl.default(STRIPE_API),
  STRIPE_JS_URL: httpUrl.default(STRIPE_JS),
  S3_URL: baseUrl
    .refine((text) => !/[?#]/.test(text), 'must be the base of the S3 API, without the bucket')
    .optional(),
  S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'must be the name of a region, such as eu-west-2')
    .default('us-east-1'),
  S3_BUCKET: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
      'must be the name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens',
    )
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

export type Environment = z.output<typeof environmentSchema>;
