import { resolve } from 'node:path';
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
  it('has a default for everything but Redis', () => {
    expect(readConfig({})).toEqual({
      production: false,
      allowedPrivateHosts: [],
      logLevel: 'info',
      appUrl: 'http://localhost:3000',
      dataDir: resolve('data'),
      database: { engine: 'sqlite', file: resolve('data/packwatch.db') },
      redisUrl: null,
      web: { port: 3000, trustProxy: 0 },
      daemon: { port: 3001, host: '127.0.0.1' },
      sessionSecrets: [],
      adminEmails: [],
      adminDiscordIds: [],
      discord: {
        cdnUrl: 'https://cdn.discordapp.com',
        webhookHosts: ['discord.com', 'discordapp.com', 'ptb.discord.com', 'canary.discord.com'],
        bot: null,
        oauth: null,
      },
      passkeys: { rpId: 'localhost', origin: 'http://localhost:3000' },
      mail: null,
      stripe: null,
      s3: null,
      proxyPool: [],
      monitor: { targetUrl: 'https://www.pokemoncenter.com/en-gb', scrappey: null },
    });
  });

  // A secret that was stored with "echo" ends with a line break.
  it('reads values without the white space around them', () => {
    const config = readConfig({
      APP_URL: ' https://packwatch.example/\n',
      STRIPE_SECRET_KEY: 'sk_test_a\n',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_a\n',
      STRIPE_WEBHOOK_SECRET: 'whsec_a\r\n',
      SCRAPPEY_API_KEY: 'key\n',
    });
    expect(config.appUrl).toBe('https://packwatch.example');
    expect(config.stripe).toMatchObject({ secretKey: 'sk_test_a', webhookSecret: 'whsec_a' });
    expect(config.monitor.scrappey?.apiKey).toBe('key');
  });

  // Half of the links kept the path, the other half lost it, and sign-ins with Discord ended on the landing page.
  it.each([
    'https://packwatch.example/shop',
    'https://packwatch.example/?a=1',
    'https://a:b@packwatch.example',
  ])('refuses %s as the address of the site', (APP_URL) => {
    expect(faultsOf({ APP_URL })).toEqual([expect.stringMatching(/^APP_URL must be .* without a path/)]);
  });

  it.each([
    ['https://packwatch.example', { rpId: 'packwatch.example', origin: 'https://packwatch.example' }],
    ['https://app.localhost:4431', { rpId: 'app.localhost', origin: 'https://app.localhost:4431' }],
    ['http://packwatch.example', null],
    ['https://192.0.2.7', null],
    ['https://[2001:db8::1]', null],
  ])('allows passkeys at %s where browsers do', (APP_URL, passkeys) => {
    expect(readConfig({ APP_URL }).passkeys).toEqual(passkeys);
  });

  it('reads Stripe’s three values and the pool of proxies', () => {
    const stripe = {
      STRIPE_SECRET_KEY: 'sk_live_a',
      STRIPE_PUBLISHABLE_KEY: 'pk_live_a',
      STRIPE_WEBHOOK_SECRET: 'whsec_a',
    };
    expect(readConfig(stripe).stripe).toEqual({
      secretKey: 'sk_live_a',
      publishableKey: 'pk_live_a',
      webhookSecret: 'whsec_a',
      apiUrl: 'https://api.stripe.com',
      jsUrl: 'https://js.stripe.com/endive/stripe.js',
    });
    expect(
      readConfig({ PROXY_POOL: 'http://user:word@proxy.example:8080, socks5://proxy.example:1080' }),
    ).toMatchObject({
      proxyPool: ['http://user:word@proxy.example:8080', 'socks5://proxy.example:1080'],
    });
  });

  it('reads S3’s values, all or none of them', () => {
    const s3 = {
      S3_URL: 'https://s3.eu-west-2.amazonaws.com/',
      S3_BUCKET: 'packwatch-files',
      S3_ACCESS_KEY_ID: 'AKIA1',
      S3_SECRET_ACCESS_KEY: 'secret',
    };
    expect(readConfig(s3).s3).toEqual({
      url: 'https://s3.eu-west-2.amazonaws.com',
      region: 'us-east-1',
      bucket: 'packwatch-files',
      accessKeyId: 'AKIA1',
      secretAccessKey: 'secret',
    });
    expect(faultsOf({ S3_REGION: 'eu-west-2' })).toHaveLength(4);
    expect(faultsOf({ ...s3, S3_SECRET_ACCESS_KEY: '' })).toEqual([
      expect.stringMatching(/^S3_SECRET_ACCESS_KEY must be set/),
    ]);
    expect(faultsOf({ ...s3, S3_BUCKET: 'a/b', S3_URL: 's3.example' })).toHaveLength(2);
  });

  it('refuses a part of Stripe’s values, keys of different modes, and what is no proxy', () => {
    expect(faultsOf({ STRIPE_SECRET_KEY: 'sk_test_a' })).toHaveLength(2);
    expect(
      faultsOf({
        STRIPE_SECRET_KEY: 'sk_live_a',
        STRIPE_PUBLISHABLE_KEY: 'pk_test_a',
        STRIPE_WEBHOOK_SECRET: 'whsec_a',
      }),
    ).toEqual([expect.stringContaining('both be test keys or both be live keys')]);
    expect(faultsOf({ PROXY_POOL: 'proxy.example' })).toEqual([
      expect.stringMatching(/^PROXY_POOL must be proxies/),
    ]);
  });

  it('counts an empty value as unset', () => {
    expect(
      readConfig({ PORT: '', REDIS_URL: ' ', SMTP_URL: '', SCRAPPEY_API_KEY: '', ADMIN_EMAILS: '' }),
    ).toEqual(readConfig({}));
  });

  it('reads values trimmed and normalised', () => {
    const config = readConfig({
      PORT: '8080',
      APP_URL: 'https://packwatch.example/',
      DATA_DIR: '/srv/packwatch',
      ADMIN_EMAILS: 'Ada@Packwatch.example, ben@packwatch.example,',
      DISCORD_WEBHOOK_HOSTS: 'Discord.com, 127.0.0.1:4010, [::1]:4010',
      SMTP_URL: 'smtp://127.0.0.1:4025',
      MAIL_FROM: 'alerts@packwatch.example',
      SCRAPPEY_API_KEY: 'a-key',
    });
    expect(config).toMatchObject({
      appUrl: 'https://packwatch.example',
      web: { port: 8080 },
      database: { engine: 'sqlite', file: '/srv/packwatch/packwatch.db' },
      adminEmails: ['ada@packwatch.example', 'ben@packwatch.example'],
      discord: { webhookHosts: ['discord.com', '127.0.0.1:4010', '[::1]:4010'] },
      mail: { smtpUrl: 'smtp://127.0.0.1:4025', from: 'alerts@packwatch.example' },
      monitor: { scrappey: { apiKey: 'a-key', apiUrl: 'https://publisher.scrappey.com/api/v1' } },
    });
    expect(readConfig({ PORT: '8080' }).appUrl).toBe('http://localhost:8080');
    expect(readConfig({ DATABASE_URL: 'file:/srv/other.db' }).database).toEqual({
      engine: 'sqlite',
      file: '/srv/other.db',
    });
  });

  it('sends from its own host when no sender is set', () => {
    const { mail } = readConfig({ APP_URL: 'https://packwatch.example:8443', SMTP_URL: 'smtp://127.0.0.1' });
    expect(mail?.from).toBe('Packwatch <no-reply@packwatch.example>');
  });

  it('reports every invalid variable at once, in one sentence each', () => {
    const faults = faultsOf({
      PORT: '70000',
      DAEMON_PORT: 'x',
      LOG_LEVEL: 'loud',
      APP_URL: 'packwatch.example',
      REDIS_URL: 'localhost:6379',
      DATABASE_URL: 'mysql://localhost/packwatch',
      ADMIN_EMAILS: 'ada',
      SMTP_URL: 'mail.example',
      NODE_ENV: 'staging',
    });
    expect(faults.map((fault) => fault.split(' ')[0]).sort()).toEqual([
      'ADMIN_EMAILS',
      'APP_URL',
      'DAEMON_PORT',
      'DATABASE_URL',
      'LOG_LEVEL',
      'NODE_ENV',
      'PORT',
      'REDIS_URL',
      'SMTP_URL',
    ]);
    for (const fault of faults) expect(fault).toMatch(/^[A-Z_]+ must .*\.$/);
    expect(new ConfigError(faults).message).toMatch(/^The configuration has 9 faults:\n {2}- /);
  });

  it('needs beside a PostgreSQL server what several machines share, and not in the sandbox', () => {
    const given = { DATABASE_URL: 'postgres://packwatch:hidden@db.example/packwatch' };
    const faults = faultsOf(given);
    expect(faults).toHaveLength(6);
    expect(faults).toContain(
      'SESSION_SECRET must be set beside a DATABASE_URL of PostgreSQL: each machine must accept the sessions and open the secrets of the others.',
    );
    for (const name of ['REDIS_URL', 'S3_URL', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'])
      expect(faults.filter((fault) => fault.startsWith(`${name} must be set`))).toHaveLength(1);
    expect(faults.join()).not.toContain('hidden');
    expect(readConfig({ ...given, SANDBOX: '1' }).database).toEqual({
      engine: 'postgres',
      url: given.DATABASE_URL,
    });
    expect(faultsOf({ DATABASE_URL: `${given.DATABASE_URL}?statements=unnamed`, SANDBOX: '1' })).toEqual([]);
    for (const address of ['postgres://db.example', `${given.DATABASE_URL}?statements=named`])
      expect(faultsOf({ DATABASE_URL: address, SANDBOX: '1' })).toEqual([
        expect.stringMatching(/^DATABASE_URL must/),
      ]);
  });

  it('refuses one port for both processes', () => {
    expect(faultsOf({ PORT: '4000', DAEMON_PORT: '4000' })).toEqual(['DAEMON_PORT must differ from PORT.']);
  });

  it('requires in production what has no safe default, and not in the sandbox', () => {
    const faults = faultsOf({ NODE_ENV: 'production' });
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual(['APP_URL', 'REDIS_URL', 'SESSION_SECRET']);
    expect(faultsOf({ NODE_ENV: 'production', SANDBOX: '1' })).toEqual([]);
    expect(faultsOf({ NODE_ENV: 'production', SANDBOX: '1', APP_URL: 'http://localhost:3000' })).toEqual([]);
    const complete = {
      NODE_ENV: 'production',
      APP_URL: 'https://packwatch.example',
      REDIS_URL: 'redis://127.0.0.1',
      SESSION_SECRET: 'a-secret-of-some-length',
    };
    expect(readConfig(complete)).toMatchObject({ production: true, redisUrl: 'redis://127.0.0.1' });
  });

  it('reveals no value that could be a secret', () => {
    const secret = 'hunter2-and-more';
    const faults = faultsOf({
      REDIS_URL: `http://:${secret}@redis`,
      SMTP_URL: `http://me:${secret}@mail`,
      PORT: 'x',
    });
    expect(faults).toHaveLength(3);
    expect(faults.join()).not.toContain(secret);
  });
});

describe('the configuration of accounts', () => {
  it('reports every invalid variable of a production environment at once', () => {
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

  it('accepts several secrets, newest first', () => {
    const SESSION_SECRET = 'the newest of the secrets, an older one of them';
    expect(readConfig({ ...PRODUCTION, SESSION_SECRET }).sessionSecrets).toEqual([
      'the newest of the secrets',
      'an older one of them',
    ]);
  });

  it('uses Discord’s addresses, or the given ones', () => {
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
      DISCORD_CDN_URL: 'http://127.0.0.1:1/cdn/',
    };
    expect(readConfig({ ...application, ...own }).discord.oauth).toMatchObject({
      authorizeUrl: 'http://127.0.0.1:1/authorize',
      apiUrl: 'http://127.0.0.1:1/api/v10',
    });
    expect(readConfig({}).discord.cdnUrl).toBe('https://cdn.discordapp.com');
    expect(readConfig(own).discord.cdnUrl).toBe('http://127.0.0.1:1/cdn');
  });

  it.each([
    ['ADMIN_DISCORD_IDS', 'ann'],
    ['ADMIN_EMAILS', 'ann'],
    ['DISCORD_API_URL', 'discord.com'],
    ['DISCORD_CDN_URL', 'cdn.discordapp.com'],
    ['TRUST_PROXY', '-1'],
  ])('explains what is wrong with %s=%s', (name, value) => {
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
