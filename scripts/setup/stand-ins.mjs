/** The external services that the sandbox replaces, and the variables that point the product to the sandbox. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DISCORD_HOSTS = ['discord.com', 'discordapp.com', 'ptb.discord.com', 'canary.discord.com'];
const SANDBOX_SENDER = 'Packwatch <alerts@packwatch.localhost>';

/**
 * The services that the sandbox has to replace, given the variables that are set: an object of booleans, all false when the
 * sandbox is off (SANDBOX=0, or production).
 *
 * | stand-in | used when none of these is set |
 * |---|---|
 * | shop and Scrappey | MONITOR_TARGET_URL, SCRAPPEY_API_KEY, SCRAPPEY_API_URL |
 * | Discord webhooks | DISCORD_WEBHOOK_HOSTS |
 * | sign-in and roles with Discord | DISCORD_CLIENT_ID, DISCORD_CLIENT_SECRET |
 * | mail | SMTP_URL |
 * | Stripe | STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET |
 *
 * The shop and Scrappey are replaced together, because the real Scrappey cannot fetch a page from this machine.
 */
export function neededStandIns(environment) {
  const isSet = (name) => (environment[name] ?? '').trim() !== '';
  const allowed = environment.SANDBOX !== '0' && environment.NODE_ENV !== 'production';
  const unset = (...names) => allowed && !names.some(isSet);
  return {
    shop: unset('MONITOR_TARGET_URL', 'SCRAPPEY_API_KEY', 'SCRAPPEY_API_URL'),
    webhooks: unset('DISCORD_WEBHOOK_HOSTS'),
    signIn: unset('DISCORD_CLIENT_ID', 'DISCORD_CLIENT_SECRET'),
    mail: unset('SMTP_URL'),
    stripe: unset('STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'),
  };
}

/** The variables for the stand-ins in use, from the line that the sandbox prints when it is ready. */
export function standInVariables(needed, sandbox, environment) {
  return {
    SANDBOX: '1',
    // Further shops and the push service of the sandbox are on this machine.
    ALLOWED_PRIVATE_HOSTS: (environment.ALLOWED_PRIVATE_HOSTS ?? '').trim() || new URL(sandbox.origin).host,
    ...(needed.shop && {
      MONITOR_TARGET_URL: sandbox.shopUrl,
      SCRAPPEY_API_KEY: 'sandbox-key',
      SCRAPPEY_API_URL: sandbox.scrappeyUrl,
    }),
    ...(needed.webhooks && {
      DISCORD_WEBHOOK_HOSTS: [new URL(sandbox.origin).host, ...DISCORD_HOSTS].join(','),
    }),
    ...(needed.signIn && {
      DISCORD_CLIENT_ID: sandbox.discordClientId,
      DISCORD_CLIENT_SECRET: sandbox.discordClientSecret,
      DISCORD_BOT_TOKEN: (environment.DISCORD_BOT_TOKEN ?? '').trim() || sandbox.discordBotToken,
      DISCORD_GUILD_ID: (environment.DISCORD_GUILD_ID ?? '').trim() || sandbox.discordGuildId,
      // Addresses that are set win: they belong to another stand-in.
      DISCORD_OAUTH_URL: (environment.DISCORD_OAUTH_URL ?? '').trim() || sandbox.discordOauthUrl,
      DISCORD_API_URL: (environment.DISCORD_API_URL ?? '').trim() || sandbox.discordApiUrl,
      DISCORD_CDN_URL: (environment.DISCORD_CDN_URL ?? '').trim() || sandbox.discordCdnUrl,
      ADMIN_DISCORD_IDS: (environment.ADMIN_DISCORD_IDS ?? '').trim() || sandbox.adminDiscordId,
    }),
    ...(needed.mail && {
      SMTP_URL: sandbox.smtpUrl,
      MAIL_FROM: (environment.MAIL_FROM ?? '').trim() || SANDBOX_SENDER,
    }),
    ...(needed.stripe && {
      STRIPE_SECRET_KEY: sandbox.stripeSecretKey,
      STRIPE_PUBLISHABLE_KEY: sandbox.stripePublishableKey,
      STRIPE_WEBHOOK_SECRET: sandbox.stripeWebhookSecret,
      // The keys are the sandbox's own, so the addresses are, too.
      STRIPE_API_URL: sandbox.stripeApiUrl,
      STRIPE_JS_URL: sandbox.stripeJsUrl,
    }),
  };
}

/** The address to which the sandbox's Stripe sends its events. The site runs on this machine, wherever APP_URL points. */
export function stripeEndpoint({ PORT }) {
  return `http://localhost:${PORT}/api/webhooks/stripe`;
}

/** The arguments of the seed command: the sandbox's shop, webhooks and members, each if it is used. */
export function demoArguments(needed, sandbox) {
  const audiences = needed.webhooks ? ['instant', 'free', 'admin'] : [];
  const members = needed.signIn ? ['pro', 'free'] : [];
  return [
    ...(needed.shop ? ['--shop', sandbox.shopUrl] : []),
    ...audiences.flatMap((audience) => [`--${audience}`, sandbox.webhooks[audience]]),
    ...members.flatMap((persona) => [`--member-${persona}`, sandbox.memberEmails[persona]]),
  ];
}

/**
 * Reads or creates the SESSION_SECRET of a run that has none set. It is stored in the data folder, in the same file that
 * the product uses outside production, so that pending sign-ins survive a restart. Only the holder of the run lock calls
 * this.
 */
export function ensureSessionSecret(dataDir) {
  const file = join(dataDir, 'session-secret');
  try {
    const stored = readFileSync(file, 'utf8').trim();
    if (stored !== '') return stored;
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  const secret = randomBytes(32).toString('base64url');
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(file, `${secret}\n`, { mode: 0o600 });
  return secret;
}
