import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.server';

const PRODUCTION = {
  NODE_ENV: 'production',
  APP_URL: 'https://packwatch.example',
  REDIS_URL: 'redis://127.0.0.1:6379',
  SESSION_SECRET: 'a long random text of letters',
};

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

describe('the configuration', () => {
  it('needs nothing outside production', () => {
    expect(readConfig({})).toMatchObject({
      sessionSecrets: [],
      adminEmails: [],
      adminDiscordIds: [],
      discord: { oauth: null },
      mail: null,
      web: { port: 3000, trustProxy: 0 },
    });
  });

  it('lists every fault of a production environment at once', () => {
    const faults = faultsOf({ NODE_ENV: 'production', DISCORD_CLIENT_ID: '1', TRUST_PROXY: 'yes' });
    expect(faults.map((fault) => fault.split(' ')[0]).sort()).toEqual([
      'APP_URL',
      'DISCORD_CLIENT_SECRET',
      'REDIS_URL',
      'SESSION_SECRET',
      'TRUST_PROXY',
    ]);
  });

  it.each([
    ['missing', undefined],
    ['blank', ' , '],
    ['short', 'short'],
    ['short beside a long one', `${PRODUCTION.SESSION_SECRET},short`],
  ])('refuses a session secret in production that is %s', (_what, secret) => {
    const { SESSION_SECRET: _given, ...rest } = PRODUCTION;
    const faults = faultsOf(secret === undefined ? rest : { ...rest, SESSION_SECRET: secret });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(/^SESSION_SECRET /);
  });

  it('takes several secrets, newest first', () => {
    const SESSION_SECRET = 'the newest of the secrets, an older one of them';
    expect(readConfig({ ...PRODUCTION, SESSION_SECRET }).sessionSecrets).toEqual([
      'the newest of the secrets',
      'an older one of them',
    ]);
  });

  it('knows Discord’s own addresses, and others that are given', () => {
    const application = { DISCORD_CLIENT_ID: '1', DISCORD_CLIENT_SECRET: 's' };
    expect(readConfig(application).discord.oauth).toEqual({
      clientId: '1',
      clientSecret: 's',
      authorizeUrl: 'https://discord.com/oauth2/authorize',
      apiUrl: 'https://discord.com/api/v10',
    });
    const own = {
      DISCORD_OAUTH_URL: 'http://127.0.0.1:1/authorize',
      DISCORD_API_URL: 'http://127.0.0.1:1/api/v10/',
    };
    expect(readConfig({ ...application, ...own }).discord.oauth).toMatchObject({
      authorizeUrl: 'http://127.0.0.1:1/authorize',
      apiUrl: 'http://127.0.0.1:1/api/v10',
    });
  });

  it.each([
    ['ADMIN_DISCORD_IDS', 'ann'],
    ['ADMIN_EMAILS', 'ann'],
    ['DISCORD_API_URL', 'discord.com'],
    ['TRUST_PROXY', '-1'],
  ])('says what is wrong with %s=%s', (name, value) => {
    expect(faultsOf({ [name]: value })[0]).toMatch(new RegExp(`^${name} must be `));
  });

  it('compares admins’ addresses in lower case', () => {
    const given = { ADMIN_EMAILS: 'Boss@Example.org, ops@example.org', ADMIN_DISCORD_IDS: '1, 2' };
    expect(readConfig(given)).toMatchObject({
      adminEmails: ['boss@example.org', 'ops@example.org'],
      adminDiscordIds: ['1', '2'],
    });
  });
});
