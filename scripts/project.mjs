import { fileURLToPath } from 'node:url';
import { isAbsolute, join, resolve } from 'node:path';

/** The repository's top folder. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url)).replace(/[/\\]$/, '');

/** Downloaded programs of this checkout, shared by all data folders. */
export const TOOLS = join(ROOT, '.cache', 'tools');

/** Build output. */
export const BUILD = join(ROOT, 'build');

/** Every variable that the product and the sandbox read. Tests and benchmarks start with none of them. */
export const PRODUCT_VARIABLES = [
  'PORT',
  'DAEMON_PORT',
  'DAEMON_HOST',
  'APP_URL',
  'DATA_DIR',
  'DATABASE_URL',
  'REDIS_URL',
  'SESSION_SECRET',
  'TRUST_PROXY',
  'ADMIN_EMAILS',
  'ADMIN_DISCORD_IDS',
  'DISCORD_CLIENT_ID',
  'DISCORD_CLIENT_SECRET',
  'DISCORD_BOT_TOKEN',
  'DISCORD_GUILD_ID',
  'DISCORD_OAUTH_URL',
  'DISCORD_API_URL',
  'DISCORD_CDN_URL',
  'DISCORD_WEBHOOK_HOSTS',
  'SMTP_URL',
  'MAIL_FROM',
  'SCRAPPEY_API_KEY',
  'SCRAPPEY_API_URL',
  'MONITOR_TARGET_URL',
  'STRIPE_SECRET_KEY',
  'STRIPE_PUBLISHABLE_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'STRIPE_API_URL',
  'STRIPE_JS_URL',
  'S3_URL',
  'S3_REGION',
  'S3_BUCKET',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'PROXY_POOL',
  'ALLOWED_PRIVATE_HOSTS',
  'LOG_LEVEL',
  'NODE_ENV',
  'SANDBOX',
  'SANDBOX_PORT',
  'SANDBOX_SMTP_PORT',
  'SANDBOX_STRIPE_ENDPOINT',
  'SANDBOX_STRIPE_FILE',
];

/** The data folder as an absolute path. A relative DATA_DIR is relative to the repository. */
export function dataDirectory(environment) {
  const given = environment.DATA_DIR?.trim() || './data';
  return isAbsolute(given) ? given : resolve(ROOT, given);
}

/** Folder of a run's lock, sockets and stored environment. */
export function runDirectory(dataDir) {
  return join(dataDir, 'run');
}

/**
 * Node options for build and tests, which create much short-lived garbage: with a larger young generation, collections
 * are rarer and single-threaded. This saves 12 % (build) to 25 % (Playwright's and Vitest's workers) of processor time.
 */
export const SELDOM_COLLECTING = ['--max-semi-space-size=64', '--single-threaded-gc'];
