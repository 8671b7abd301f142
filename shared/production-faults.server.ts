import type { Environment } from './environment.server';
import { isLoopbackHost } from './loopback';
import { weaknessOf } from './weak-secret';

/** Shorter secrets can be searched for. */
const MIN_SECRET_LENGTH = 16;

/** How the credentials of our own stand-ins begin (`sandbox/`). They are public. */
const SANDBOX_CREDENTIALS = {
  STRIPE_SECRET_KEY: 'sk_test_sandbox',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_sandbox',
  STRIPE_WEBHOOK_SECRET: 'whsec_sandbox',
  DISCORD_CLIENT_SECRET: 'sandbox-',
  SCRAPPEY_API_KEY: 'sandbox-key',
} as const;

const MAKE_A_SECRET = 'a long random text, such as "openssl rand -base64 32" prints';

type Faults = Map<string, string>;

function findMissing(given: Given, faults: Faults): void {
  const require = (name: string, sentence: string) => {
    if (given[name] === undefined) faults.set(name, `${name} must be set in production: ${sentence}.`);
  };
  require('APP_URL', 'the public address of the site, such as https://packwatch.example');
  require('REDIS_URL', 'where the queues live, such as redis://127.0.0.1:6379');
  require('SESSION_SECRET', `${MAKE_A_SECRET}. To change it, put the new one before the old, separated by a comma`);
}

function findWeakSecrets(secrets: readonly string[], faults: Faults): void {
  if (secrets.length === 0) {
    faults.set('SESSION_SECRET', `SESSION_SECRET must be set in production: ${MAKE_A_SECRET}.`);
    return;
  }
  for (const [index, secret] of secrets.entries()) {
    const which = secrets.length === 1 ? 'It' : `Secret ${index + 1} of ${secrets.length}`;
    const weakness =
      secret.length < MIN_SECRET_LENGTH
        ? `needs at least ${MIN_SECRET_LENGTH} characters`
        : weaknessOf(secret);
    if (weakness === null) continue;
    faults.set(
      'SESSION_SECRET',
      `SESSION_SECRET can be guessed. ${which} ${weakness}. Set ${MAKE_A_SECRET}.`,
    );
    return;
  }
}

/** Sign-ins, and the session of each visitor, would cross the network in plain text. */
function findInsecureSite(env: Environment, faults: Faults): void {
  if (env.APP_URL === undefined) return;
  const { protocol, hostname } = new URL(env.APP_URL);
  if (protocol === 'https:' || isLoopbackHost(hostname)) return;
  faults.set(
    'APP_URL',
    'APP_URL must begin with https:// in production: with http://, sign-ins can be read on their way. Only a site on this machine alone, such as http://localhost:3000, may use http://.',
  );
}

function findSandboxCredentials(given: Given, faults: Faults): void {
  for (const [name, start] of Object.entries(SANDBOX_CREDENTIALS))
    if (given[name]?.startsWith(start) === true)
      faults.set(
        name,
        `${name} is the sandbox's, which anyone can read in the source. Set the service's own, or leave the whole group unset to switch the service off.`,
      );
}

/** Live keys beside an address that is not Stripe's, or that others on the network can change. */
function findMisdirectedKeys(env: Environment, faults: Faults): void {
  const isLive = [env.STRIPE_SECRET_KEY, env.STRIPE_PUBLISHABLE_KEY].some(
    (key) => key !== undefined && isLiveKey(key),
  );
  if (!isLive) return;
  for (const name of ['STRIPE_API_URL', 'STRIPE_JS_URL'] as const) {
    const { protocol, hostname } = new URL(env[name]);
    if (protocol !== 'https:' || isLoopbackHost(hostname))
      faults.set(
        name,
        `${name} must be Stripe's own address beside live keys: leave it unset. Real cards would go to ${isLoopbackHost(hostname) ? 'a program on this machine' : 'an address without encryption'}.`,
      );
  }
}

/** Whether a Stripe key moves real money. */
export function isLiveKey(key: string): boolean {
  return /^[a-z]+_live_/.test(key);
}

/** The variables that are set, by name. */
export type Given = Record<string, string | undefined>;

/**
 * The faults of a production environment beyond those of single variables, by the variable to set. `npm start` runs the
 * product beside the sandbox with `SANDBOX=1`, on this machine or in its own network: there they do not apply, and on a
 * public site `SANDBOX=1` is a fault itself. `env`: undefined when a single variable is invalid.
 */
export function findProductionFaults(given: Given, env: Environment | undefined): Map<string, string> {
  const faults: Faults = new Map();
  if (given.NODE_ENV !== 'production') return faults;
  if (given.SANDBOX === '1') {
    const host = URL.canParse(given.APP_URL ?? '') ? new URL(given.APP_URL ?? '').hostname : 'localhost';
    if (isLoopbackHost(host)) return faults;
    faults.set(
      'SANDBOX',
      'SANDBOX must not be 1 in production: it is for a site on this machine alone, beside the stand-ins of "npm start". Remove it.',
    );
  }
  findMissing(given, faults);
  findSandboxCredentials(given, faults);
  if (env === undefined) return faults;
  if (given.SESSION_SECRET !== undefined) findWeakSecrets(env.SESSION_SECRET, faults);
  findInsecureSite(env, faults);
  findMisdirectedKeys(env, faults);
  return faults;
}
