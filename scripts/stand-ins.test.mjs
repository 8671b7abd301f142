import { expect, it } from 'vitest';
import { demoArguments, neededStandIns, standInVariables } from './stand-ins.mjs';

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
};

it('the sandbox stands in for everything that a person did not set', () => {
  const needed = neededStandIns({});
  expect(needed).toEqual({ shop: true, webhooks: true, mail: true });
  expect(standInVariables(needed, sandbox, {})).toEqual({
    SANDBOX: '1',
    MONITOR_TARGET_URL: sandbox.shopUrl,
    SCRAPPEY_API_KEY: 'sandbox-key',
    SCRAPPEY_API_URL: sandbox.scrappeyUrl,
    DISCORD_WEBHOOK_HOSTS: 'localhost:4010,discord.com,discordapp.com,ptb.discord.com,canary.discord.com',
    SMTP_URL: sandbox.smtpUrl,
    MAIL_FROM: 'Packwatch <alerts@packwatch.localhost>',
  });
});

it.each(['MONITOR_TARGET_URL', 'SCRAPPEY_API_KEY', 'SCRAPPEY_API_URL'])(
  'with %s set, shop and Scrappey are left alone',
  (name) => {
    const needed = neededStandIns({ [name]: 'set' });
    expect(needed).toEqual({ shop: false, webhooks: true, mail: true });
    expect(standInVariables(needed, sandbox, {})).not.toHaveProperty('SCRAPPEY_API_KEY');
  },
);

it('a sender that was set stays when the sandbox catches the mail', () => {
  const environment = { MAIL_FROM: 'ann@example.org' };
  expect(standInVariables(neededStandIns(environment), sandbox, environment)).toMatchObject({
    SMTP_URL: sandbox.smtpUrl,
    MAIL_FROM: 'ann@example.org',
  });
});

it('nothing is needed when everything is set, in production, or when switched off', () => {
  const nothing = { shop: false, webhooks: false, mail: false };
  expect(neededStandIns({ MONITOR_TARGET_URL: 'x', DISCORD_WEBHOOK_HOSTS: 'x', SMTP_URL: 'x' })).toEqual(
    nothing,
  );
  expect(neededStandIns({ NODE_ENV: 'production' })).toEqual(nothing);
  expect(neededStandIns({ SANDBOX: '0' })).toEqual(nothing);
});

it('demo alerts go to the sandbox only while its webhooks are in use', () => {
  expect(demoArguments({ webhooks: false }, sandbox)).toEqual([]);
  expect(demoArguments({ webhooks: true }, sandbox)).toEqual([
    '--instant',
    'http://localhost:4010/i',
    '--free',
    'http://localhost:4010/f',
    '--admin',
    'http://localhost:4010/a',
  ]);
});
