import { randomBytes } from 'node:crypto';
import { describe, expect, it, test } from 'vitest';
import { ConfigError, readConfig } from './config.server';
import { weaknessOf } from './production-faults.server';

const PRODUCTION = {
  NODE_ENV: 'production',
  APP_URL: 'https://packwatch.example',
  REDIS_URL: 'redis://127.0.0.1:6379',
  SESSION_SECRET: '7Q2m/Wd1yq0n6bV4c8h+Xz3LpT9sRkFgJaUeOiYvBxM=',
};
const LIVE_KEYS = {
  STRIPE_SECRET_KEY: 'sk_live_a',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_a',
  STRIPE_WEBHOOK_SECRET: 'whsec_a1b2c3',
};

function faultsOf(changes: Record<string, string>): readonly string[] {
  try {
    readConfig({ ...PRODUCTION, ...changes });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

const namesOf = (faults: readonly string[]) => faults.map((fault) => fault.split(' ')[0]).toSorted();

test.each([
  ['0123456789abcdef0123', 'neighbouring'],
  ['aaaaaaaaaaaaaaaaaaaaaaaa', 'few different'],
  ['abababababababababababab', 'few different'],
  ['hunter2-hunter2-hunter2-', 'repeats'],
  ['abcdefghijklmnopqrstuvwxyz', 'neighbouring'],
  ['changeme-changeme-please', 'examples'],
  ['change this session secret', 'examples'],
  ['CHANGE_ME_IN_PRODUCTION!', 'examples'],
  ['your-secret-key-here', 'examples'],
  ['supersecretsessionkey123', 'examples'],
  ['s3cr3t-p4ssw0rd-k3y-0001', 'examples'],
  ['mySuperSecretSessionKey', 'examples'],
  ['keyboard cat keyboard cat!', 'examples'],
])('the secret %s is refused in production', (secret, why) => {
  expect(weaknessOf(secret)).toContain(why);
  const faults = faultsOf({ SESSION_SECRET: secret });
  expect(faults).toEqual([
    expect.stringMatching(/^SESSION_SECRET can be guessed\. It .*Set a long random text/),
  ]);
  expect(faults.join()).not.toContain(secret);
  expect(namesOf(faultsOf({ SESSION_SECRET: `${PRODUCTION.SESSION_SECRET},${secret}` }))).toEqual([
    'SESSION_SECRET',
  ]);
  expect(() => readConfig({ SESSION_SECRET: secret })).not.toThrow();
});

test('the command of the advice is refused as a secret', () => {
  expect(faultsOf({ SESSION_SECRET: 'openssl rand -base64 32' })).toHaveLength(1);
});

test('random secrets of every usual form are accepted', () => {
  for (let round = 0; round < 2_000; round += 1)
    for (const form of ['base64', 'base64url', 'hex'] as const)
      expect(weaknessOf(randomBytes(form === 'hex' ? 16 : 12).toString(form))).toBeNull();
  // In hexadecimal, with "a" as its only letter, which is also an example word.
  expect(weaknessOf('8a27a960a72a98276a92a76829672289')).toBeNull();
  expect(weaknessOf('correct horse battery staple')).toBeNull();
  expect(weaknessOf('a'.repeat(100_000))).toBeNull();
});

describe('in production', () => {
  it.each([
    ['without anything after its beginning', 'whsec_'],
    ['of the sandbox', 'whsec_sandbox'],
  ])('a webhook secret %s is refused', (_, secret) => {
    expect(namesOf(faultsOf({ ...LIVE_KEYS, STRIPE_WEBHOOK_SECRET: secret }))).toEqual([
      'STRIPE_WEBHOOK_SECRET',
    ]);
  });

  it('an empty webhook secret counts as missing', () => {
    expect(faultsOf({ ...LIVE_KEYS, STRIPE_WEBHOOK_SECRET: ' ' })).toEqual([
      expect.stringMatching(/^STRIPE_WEBHOOK_SECRET must be set/),
    ]);
  });

  it.each([
    ['STRIPE_API_URL', 'http://api.stripe.com'],
    ['STRIPE_API_URL', 'http://127.0.0.1:4010/stripe'],
    ['STRIPE_API_URL', 'https://localhost:4010/stripe'],
    ['STRIPE_JS_URL', 'http://js.stripe.com/endive/stripe.js'],
    ['STRIPE_JS_URL', 'http://localhost:4010/stripe.js'],
  ])('live keys beside %s=%s are refused', (name, url) => {
    expect(namesOf(faultsOf({ ...LIVE_KEYS, [name]: url }))).toEqual([name]);
    const test = { ...LIVE_KEYS, STRIPE_SECRET_KEY: 'sk_test_a', STRIPE_PUBLISHABLE_KEY: 'pk_test_a' };
    expect(faultsOf({ ...test, [name]: url })).toEqual([]);
  });

  it('the sandbox’s own credentials are refused, each by its name', () => {
    const faults = faultsOf({
      STRIPE_SECRET_KEY: 'sk_test_sandbox',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_sandbox',
      STRIPE_WEBHOOK_SECRET: 'whsec_sandbox',
      DISCORD_CLIENT_ID: '150000000000000099',
      DISCORD_CLIENT_SECRET: 'sandbox-client-secret',
      SCRAPPEY_API_KEY: 'sandbox-key',
    });
    expect(namesOf(faults)).toEqual([
      'DISCORD_CLIENT_SECRET',
      'SCRAPPEY_API_KEY',
      'STRIPE_PUBLISHABLE_KEY',
      'STRIPE_SECRET_KEY',
      'STRIPE_WEBHOOK_SECRET',
    ]);
  });

  it.each(['http://packwatch.example', 'http://192.168.1.5:3000', 'http://127.0.0.1.packwatch.example'])(
    'the address %s is refused',
    (url) => {
      expect(faultsOf({ APP_URL: url })).toEqual([expect.stringMatching(/^APP_URL must begin with https/)]);
    },
  );

  it.each(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000', 'http://a.localhost:3000'])(
    'the address %s of this machine alone is accepted',
    (url) => {
      expect(faultsOf({ APP_URL: url })).toEqual([]);
    },
  );

  it('SANDBOX=1 is refused on a public site, with every other fault at once', () => {
    expect(namesOf(faultsOf({ SANDBOX: '1' }))).toEqual(['SANDBOX']);
    const faults = faultsOf({
      ...LIVE_KEYS,
      SANDBOX: '1',
      APP_URL: 'http://packwatch.example',
      SESSION_SECRET: 'changeme-changeme',
      STRIPE_WEBHOOK_SECRET: 'whsec_sandbox',
      STRIPE_API_URL: 'http://stripe.example',
    });
    expect(namesOf(faults)).toEqual([
      'APP_URL',
      'SANDBOX',
      'SESSION_SECRET',
      'STRIPE_API_URL',
      'STRIPE_WEBHOOK_SECRET',
    ]);
    for (const fault of faults) expect(fault).toMatch(/^[A-Z_]+ .*\.$/);
  });
});
