import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ensureSessionSecret as ensureForScripts } from '../../scripts/setup/stand-ins.mjs';
import { loadSessionSecret, openKeyring } from '#shared/secrets.server';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'packwatch-secret-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('a data folder gets one secret, readable by its owner only, and keeps it', () => {
  const dataDir = join(folder, 'data');
  const secret = loadSessionSecret(dataDir);
  expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
  expect(loadSessionSecret(dataDir)).toBe(secret);
  expect(readdirSync(dataDir)).toEqual(['session-secret']);
  expect(statSync(join(dataDir, 'session-secret')).mode & 0o777).toBe(0o600);
});

it('the setup scripts and the product use the same secret', () => {
  expect(ensureForScripts(folder)).toBe(loadSessionSecret(folder));
  const other = join(folder, 'other');
  expect(loadSessionSecret(other)).toBe(ensureForScripts(other));
});

it('an empty file is reported in a sentence', () => {
  writeFileSync(join(folder, 'session-secret'), '\n');
  expect(() => loadSessionSecret(folder)).toThrow('session-secret is empty: remove it');
});

it('a configured secret takes precedence, and no file is created', () => {
  openKeyring({ sessionSecrets: ['configured'], dataDir: folder });
  expect(readdirSync(folder)).toEqual([]);
  const kept = openKeyring({ sessionSecrets: [], dataDir: folder });
  expect(openKeyring({ sessionSecrets: [], dataDir: folder }).hash('code', 'x')).toBe(kept.hash('code', 'x'));
});
