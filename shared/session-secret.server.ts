import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.server';
import { createKeyring, type Keyring } from './keyring.server';

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
 * The secret of a data folder, made at the first call: web, daemon and tomorrow's processes must share it.
 * The finished file is put in place in one step that only one of several processes wins.
 */
export function keepSessionSecret(dataDir: string): string {
  const file = join(dataDir, 'session-secret');
  const kept = readSecret(file);
  if (kept !== null) return kept;
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

/** The keyring of this installation: from SESSION_SECRET, else from the secret kept in the data folder. */
export function openKeyring(config: Pick<Config, 'sessionSecrets' | 'dataDir'>): Keyring {
  return createKeyring(
    config.sessionSecrets.length > 0 ? config.sessionSecrets : [keepSessionSecret(config.dataDir)],
  );
}
