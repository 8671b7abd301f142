import type { Environment } from './environment.server';
import { isLoopbackHost } from './loopback';

/** 16 random letters and digits have more than this many different ones, except once in a million. */
const MIN_DIFFERENT_CHARACTERS = 7;
/** A text in which more neighbours than this share follow each other in the alphabet or on a line of digits was typed. */
const MAX_SHARE_OF_STEPS = 0.6;

/** Words of example configurations and of secrets that people type until they have a real one. */
const EXAMPLE_WORDS = [
  'secret|secrets|session|sessions|password|passwd|pass|passphrase|key|keys|token|cookie|signing|jwt|auth|salt',
  'change|changeme|replace|replaceme|insert|enter|set|fill|todo|fixme|default|example|sample|dummy|placeholder|fake',
  'dev|development|prod|production|staging|demo|sandbox|debug|temp|tmp',
  'please|this|that|it|in|to|me|my|your|the|a|an|with|here|now|later|before|for|of|and|or|not|be|must|is|do|use|using',
  'very|super|really|insecure|unsafe|secure|strong|long|random|some|value|string|text|characters|chars|at|least',
  'packwatch|admin|administrator|root|user|keyboard|cat|shhh|shh|hello|world|foo|bar|baz|foobar|qwerty|qwertyuiop',
  'asdf|asdfgh|asdfghjkl|zxcvbnm|letmein|welcome|openssl|rand|base|hex|abc|abcd|abcdef|xyz|xxx|xxxx|minimum|one|two',
].join('|');

const EXAMPLE = new RegExp(`^(?:${EXAMPLE_WORDS})$`);

/** Whether the text is one shorter text, repeated. */
function isRepetition(text: string): boolean {
  // Found inside its own double, apart from the two ends, exactly if it repeats a shorter text.
  return (text + text).indexOf(text, 1) < text.length;
}

function shareOfSteps(text: string): number {
  let steps = 0;
  for (let at = 1; at < text.length; at += 1) {
    if (Math.abs(text.charCodeAt(at) - text.charCodeAt(at - 1)) <= 1) steps += 1;
  }
  return steps / (text.length - 1);
}

/**
 * Whether the text consists of words of examples alone, with fewer digits and punctuation than letters: a random text in
 * hexadecimal can have no letter but "a".
 */
function isExample(text: string): boolean {
  const plain = text
    .replaceAll(/(?<![A-Za-z0-9])\d+(?![A-Za-z0-9])/g, '')
    .replaceAll('0', 'o')
    .replaceAll('1', 'i')
    .replaceAll('3', 'e')
    .replaceAll('4', 'a')
    .replaceAll('5', 's')
    .replaceAll('$', 's')
    .replaceAll('@', 'a');
  // With letters in place of look-alike digits ("s3cr3t") and without.
  return [text, plain].some((form) => {
    const words = form
      .replaceAll(/([a-z])(?=[A-Z])/g, '$1 ')
      .toLowerCase()
      .split(/[^a-z]+/)
      .filter((word) => word !== '');
    const letters = words.join('').length;
    return letters > text.length / 2 && words.every((word) => isMadeOf(word));
  });
}

/** Whether a word is an example word, or several of them without a space, such as `changethissecret`. */
function isMadeOf(word: string): boolean {
  // `ends[n]`: whether the first n letters are example words.
  const ends = [true];
  for (let end = 1; end <= word.length; end += 1) {
    ends[end] = ends.some((isEnd, start) => isEnd && start < end && EXAMPLE.test(word.slice(start, end)));
  }
  return ends[word.length] === true;
}

/** Longer than any secret that a person types. Longer texts are not examined further. */
const MAX_TYPED_LENGTH = 200;

/**
 * Why a secret can be guessed, as the end of a sentence ("it …"); null for one that looks random. It finds what people
 * type until they have a real secret: few different characters, repetitions, runs such as "abcdef", example texts.
 */
export function weaknessOf(secret: string): string | null {
  if (secret.length > MAX_TYPED_LENGTH) return null;
  if (new Set(secret).size < MIN_DIFFERENT_CHARACTERS) return 'has too few different characters';
  if (isRepetition(secret)) return 'repeats a short text';
  if (shareOfSteps(secret) > MAX_SHARE_OF_STEPS) return 'is a run of neighbouring characters';
  if (isExample(secret)) return 'is a text of examples, which attackers try first';
  return null;
}

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
