import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.server';

/** Each purpose has its own key, so that a value made for one cannot be used for another. */
export type KeyPurpose =
  | 'code'
  | 'browser'
  | 'data-export'
  | 'email'
  | 'end-session'
  | 'form'
  | 'keep-account'
  | 'mail'
  | 'member-search'
  | 'network'
  | 'passkey'
  | 'proxy'
  | 'push'
  | 'unsubscribe'
  | 'webhook';

/** Hashes, encrypts and signs with the session secrets. The newest secret makes new values; all secrets recognise old ones. */
export interface Keyring {
  /** Keyed hash of a text, base64url. */
  hash(purpose: KeyPurpose, text: string): string;
  /** The text's hashes under all secrets, to find values of older ones. */
  hashes(purpose: KeyPurpose, text: string): string[];
  /** Whether a hash is of this text, under any secret; in constant time. */
  matches(purpose: KeyPurpose, text: string, hash: string): boolean;
  /** Encrypts a text. */
  seal(purpose: KeyPurpose, text: string): string;
  /** Decrypts a sealed text; null when no secret fits. */
  open(purpose: KeyPurpose, sealed: string): string | null;
  /** For signing cookies, newest first. */
  cookieSecrets: string[];
}

const KEY_BYTES = 32;
/** Sizes of AES-GCM (NIST SP 800-38D, section 5.2.1). */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

function sameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function tryToOpen(key: KeyObject, bytes: Buffer): string | null {
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([
      decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)),
      decipher.final(),
    ]).toString('utf8');
  } catch {
    return null;
  }
}

/** Derives the keys of every purpose from the session secrets, newest first. Throws for an empty list. */
export function createKeyring(secrets: readonly string[]): Keyring {
  // Node takes three times as long with the bytes of a key as with a `KeyObject`.
  const keysFor = (purpose: KeyPurpose | 'cookie'): [KeyObject, ...KeyObject[]] => {
    const [newest, ...older] = secrets.map((secret) =>
      createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `packwatch ${purpose}`, KEY_BYTES))),
    );
    if (newest === undefined) throw new Error('a keyring needs at least one secret');
    return [newest, ...older];
  };
  const keys = {
    code: keysFor('code'),
    browser: keysFor('browser'),
    'data-export': keysFor('data-export'),
    email: keysFor('email'),
    'end-session': keysFor('end-session'),
    form: keysFor('form'),
    'keep-account': keysFor('keep-account'),
    mail: keysFor('mail'),
    'member-search': keysFor('member-search'),
    network: keysFor('network'),
    passkey: keysFor('passkey'),
    proxy: keysFor('proxy'),
    push: keysFor('push'),
    unsubscribe: keysFor('unsubscribe'),
    webhook: keysFor('webhook'),
  };
  const hashWith = (key: KeyObject, text: string) =>
    createHmac('sha256', key).update(text).digest('base64url');
  const hashes = (purpose: KeyPurpose, text: string) => keys[purpose].map((key) => hashWith(key, text));

  return {
    hash: (purpose, text) => hashWith(keys[purpose][0], text),
    hashes,
    matches: (purpose, text, hash) =>
      hashes(purpose, text).reduce((found, own) => sameText(own, hash) || found, false),
    seal(purpose, text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', keys[purpose][0], nonce, { authTagLength: TAG_BYTES });
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, body, cipher.getAuthTag()]).toString('base64url');
    },
    open(purpose, sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      for (const key of keys[purpose]) {
        const text = tryToOpen(key, bytes);
        if (text !== null) return text;
      }
      return null;
    },
    cookieSecrets: keysFor('cookie').map((key) => key.export().toString('base64url')),
  };
}

const SECRET_BYTES = 32;

function readSecret(file: string): string | null {
  try {
    const text = readFileSync(file, 'utf8').trim();
    return text === '' ? null : text;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Reads the secret of a data folder, or creates it at the first call, for all processes that share the folder. The
 * file is written completely and then linked, so that exactly one of several processes creates it.
 */
export function loadSessionSecret(dataDir: string): string {
  const file = join(dataDir, 'session-secret');
  const existing = readSecret(file);
  if (existing !== null) return existing;
  mkdirSync(dataDir, { recursive: true });
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, `${randomBytes(SECRET_BYTES).toString('base64url')}\n`, { mode: 0o600 });
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  const secret = readSecret(file);
  if (secret === null) throw new Error(`${file} is empty: remove it, and a new secret is made`);
  return secret;
}

/** The keyring of this installation: from SESSION_SECRET, else from the data folder's secret. */
export function openKeyring(config: Pick<Config, 'sessionSecrets' | 'dataDir'>): Keyring {
  return createKeyring(
    config.sessionSecrets.length > 0 ? config.sessionSecrets : [loadSessionSecret(config.dataDir)],
  );
}
