import { expect, it } from 'vitest';
import { demoArguments, neededStandIns, standInVariables, stripeEndpoint } from './stand-ins.mjs';

const sandbox = {
  origin: 'http://localhost:4010',
  smtpUrl: 'smtp://localhost:4025',
  webhooks: {
    instant: 'http://localhost:4010/i',
    free: 'http://localhost:4010/f',
    admin: 'http://localhost:4010/a',
  },
  shopUrl: 'http://localhost:4010/shop',
  scrappeyUrl: 'http://localhost:4010/scrappey',
  discordClientId: '99',
  discordClientSecret: 'not a secret',
  discordBotToken: 'not a token',
  discordGuildId: '77',
  discordOauthUrl: 'http://localhost:4010/oauth2/authorize',
  discordApiUrl: 'http://localhost:4010/api/v10',
  discordCdnUrl: 'http://localhost:4010',
  adminDiscordId: '1',
  memberEmails: { pro: 'pro@packwatch.example', free: 'free@packwatch.example' },
  stripeSecretKey: 'sk_test_sandbox',
  stripePublishableKey: 'pk_test_sandbox',
  stripeWebhookSecret: 'whsec_sandbox',
  stripeApiUrl: 'http://localhost:4010',
  stripeJsUrl: 'http://localhost:4010/stripe-js/stripe.js',
};

it('the sandbox replaces every service that is not configured', () => {
  const needed = neededStandIns({});
  expect(needed).toEqual({ shop: true, webhooks: true, signIn: true, mail: true, stripe: true });
  expect(standInVariables(needed, sandbox, {})).toEqual({
    SANDBOX: '1',
    ALLOWED_PRIVATE_HOSTS: 'localhost:4010',
    MONITOR_TARGET_URL: sandbox.shopUrl,
    SCRAPPEY_API_KEY: 'sandbox-key',
    SCRAPPEY_API_URL: sandbox.scrappeyUrl,
    DISCORD_WEBHOOK_HOSTS: 'localhost:4010,discord.com,discordapp.com,ptb.discord.com,canary.discord.com',
    DISCORD_CLIENT_ID: '99',
    DISCORD_CLIENT_SECRET: 'not a secret',
    DISCORD_BOT_TOKEN: 'not a token',
    DISCORD_GUILD_ID: '77',
    DISCORD_OAUTH_URL: sandbox.discordOauthUrl,
    DISCORD_API_URL: sandbox.discordApiUrl,
    DISCORD_CDN_URL: sandbox.discordCdnUrl,
    ADMIN_DISCORD_IDS: '1',
    SMTP_URL: sandbox.smtpUrl,
    MAIL_FROM: 'Packwatch <alerts@packwatch.localhost>',
    STRIPE_SECRET_KEY: 'sk_test_sandbox',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_sandbox',
    STRIPE_WEBHOOK_SECRET: 'whsec_sandbox',
    STRIPE_API_URL: 'http://localhost:4010',
    STRIPE_JS_URL: 'http://localhost:4010/stripe-js/stripe.js',
  });
});

it.each(['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'])(
  'with %s set, Stripe is not replaced',
  (name) => {
    const needed = neededStandIns({ [name]: 'set' });
    expect(needed.stripe).toBe(false);
    expect(standInVariables(needed, sandbox, {})).not.toHaveProperty('STRIPE_API_URL');
  },
);

it('Stripe’s events are sent to the port of the site', () => {
  expect(stripeEndpoint({ PORT: '3100' })).toBe('http://localhost:3100/api/webhooks/stripe');
});

it.each(['MONITOR_TARGET_URL', 'SCRAPPEY_API_KEY', 'SCRAPPEY_API_URL'])(
  'with %s set, shop and Scrappey are not replaced',
  (name) => {
    const needed = neededStandIns({ [name]: 'set' });
    expect(needed).toEqual({ shop: false, webhooks: true, signIn: true, mail: true, stripe: true });
    expect(standInVariables(needed, sandbox, {})).not.toHaveProperty('SCRAPPEY_API_KEY');
  },
);

it('configured admins are kept, and a configured Discord application is not replaced', () => {
  const named = { ADMIN_DISCORD_IDS: '42' };
  expect(standInVariables(neededStandIns(named), sandbox, named)).toMatchObject(named);
  expect(neededStandIns({ DISCORD_CLIENT_ID: 'x' }).signIn).toBe(false);
});

it('a configured sender is kept when the sandbox catches the mail', () => {
  const environment = { MAIL_FROM: 'ann@example.org' };
  expect(standInVariables(neededStandIns(environment), sandbox, environment)).toMatchObject({
    SMTP_URL: sandbox.smtpUrl,
    MAIL_FROM: 'ann@example.org',
  });
});

it('nothing is replaced when everything is set, in production, or when disabled', () => {
  const nothing = { shop: false, webhooks: false, signIn: false, mail: false, stripe: false };
  const everything = {
    MONITOR_TARGET_URL: 'x',
    DISCORD_WEBHOOK_HOSTS: 'x',
    DISCORD_CLIENT_ID: 'x',
    DISCORD_CLIENT_SECRET: 'x',
    SMTP_URL: 'x',
    STRIPE_SECRET_KEY: 'x',
  };
  expect(neededStandIns(everything)).toEqual(nothing);
  expect(neededStandIns({ NODE_ENV: 'production' })).toEqual(nothing);
  expect(neededStandIns({ SANDBOX: '0' })).toEqual(nothing);
});

it('demo data names the shop, webhooks and members of the sandbox only while each is used', () => {
  expect(demoArguments({ webhooks: false, signIn: false }, sandbox)).toEqual([]);
  expect(demoArguments({ shop: true, webhooks: false, signIn: false }, sandbox)).toEqual([
    '--shop',
    sandbox.shopUrl,
  ]);
  expect(demoArguments({ webhooks: false, signIn: true }, sandbox)).toEqual([
    '--member-pro',
    'pro@packwatch.example',
    '--member-free',
    'free@packwatch.example',
  ]);
  expect(demoArguments({ webhooks: true, signIn: false }, sandbox)).toEqual([
    '--instant',
    'http://localhost:4010/i',
    '--free',
    'http://localhost:4010/f',
    '--admin',
    'http://localhost:4010/a',
  ]);
});
