import { describe, expect, it } from 'vitest';
import { createKeyring } from './secrets.server';

const old = createKeyring(['the old secret']);
const rotated = createKeyring(['the new secret', 'the old secret']);
const foreign = createKeyring(['another secret']);

describe('a keyring', () => {
  it('hashes the same text to the same value, and differently for each purpose', () => {
    expect(old.hash('code', '123456')).toBe(old.hash('code', '123456'));
    expect(old.hash('code', '123456')).not.toBe(old.hash('browser', '123456'));
    expect(old.hash('code', '123456')).not.toBe(foreign.hash('code', '123456'));
  });

  it('matches hashes of the old secret after a rotation, and hashes with the new one', () => {
    const hash = old.hash('code', '123456');
    expect(rotated.matches('code', '123456', hash)).toBe(true);
    expect(rotated.matches('code', '123457', hash)).toBe(false);
    expect(rotated.matches('browser', '123456', hash)).toBe(false);
    expect(rotated.hashes('code', '123456')).toEqual([rotated.hash('code', '123456'), hash]);
    expect(old.matches('code', '123456', rotated.hash('code', '123456'))).toBe(false);
    expect(old.matches('code', '123456', '')).toBe(false);
  });

  it('opens what it sealed, also after a rotation', () => {
    const sealed = old.seal('mail', '123456');
    expect(sealed).not.toContain('123456');
    expect(old.seal('mail', '123456')).not.toBe(sealed);
    expect(rotated.open('mail', sealed)).toBe('123456');
  });

  it('does not open foreign, altered or truncated values', () => {
    const sealed = old.seal('mail', '123456');
    const altered = (sealed.startsWith('A') ? 'B' : 'A') + sealed.slice(1);
    for (const other of [foreign.seal('mail', '123456'), altered, sealed.slice(0, 12), '', 'no base64 ***'])
      expect(old.open('mail', other)).toBeNull();
    expect(old.open('code', sealed)).toBeNull();
  });

  it('derives cookie secrets, newest first', () => {
    expect(rotated.cookieSecrets).toHaveLength(2);
    expect(rotated.cookieSecrets[1]).toBe(old.cookieSecrets[0]);
    expect(rotated.cookieSecrets.join()).not.toContain('secret');
  });

  it('needs a secret', () => {
    expect(() => createKeyring([])).toThrow('at least one secret');
  });
});
