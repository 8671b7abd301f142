/** Which outside services the sandbox stands in for, and the variables that point the product at it. */

const DISCORD_HOSTS = ['discord.com', 'discordapp.com', 'ptb.discord.com', 'canary.discord.com'];
const SANDBOX_SENDER = 'Packwatch <alerts@packwatch.localhost>';

/**
 * What the sandbox is needed for, given the variables a person set: an object of booleans, all false when
 * the sandbox is switched off (SANDBOX=0, or production).
 *
 * | stand-in | used when none of these is set |
 * |---|---|
 * | shop and Scrappey | MONITOR_TARGET_URL, SCRAPPEY_API_KEY, SCRAPPEY_API_URL |
 * | Discord webhooks | DISCORD_WEBHOOK_HOSTS |
 * | signing in with Discord | DISCORD_CLIENT_ID, DISCORD_CLIENT_SECRET |
 * | mail | SMTP_URL |
 *
 * The shop goes with Scrappey: a real Scrappey cannot fetch a page from this machine.
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
  };
}

/** The variables for the stand-ins in use, from the addresses the sandbox printed when it was ready. */
export function standInVariables(needed, sandbox, environment) {
  return {
    SANDBOX: '1',
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
      // Addresses that a person did set lead to a stand-in of their own.
      DISCORD_OAUTH_URL: (environment.DISCORD_OAUTH_URL ?? '').trim() || sandbox.discordOauthUrl,
      DISCORD_API_URL: (environment.DISCORD_API_URL ?? '').trim() || sandbox.discordApiUrl,
      DISCORD_CDN_URL: (environment.DISCORD_CDN_URL ?? '').trim() || sandbox.discordCdnUrl,
      ADMIN_DISCORD_IDS: (environment.ADMIN_DISCORD_IDS ?? '').trim() || sandbox.adminDiscordId,
    }),
    ...(needed.mail && {
      SMTP_URL: sandbox.smtpUrl,
      MAIL_FROM: (environment.MAIL_FROM ?? '').trim() || SANDBOX_SENDER,
    }),
  };
}

/** Where the demo data's alerts go, as arguments of the seed command: the sandbox's webhooks when they are in use. */
export function demoArguments(needed, sandbox) {
  if (!needed.webhooks) return [];
  return ['instant', 'free', 'admin'].flatMap((audience) => [`--${audience}`, sandbox.webhooks[audience]]);
}
