import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hashSources, isTest } from './ensure-built.mjs';

let root;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'packwatch-hash-'));
  mkdirSync(join(root, 'daemon', 'cli'), { recursive: true });
  writeFileSync(join(root, 'daemon', 'cli', 'seed.ts'), 'one');
  writeFileSync(join(root, 'lock.json'), '{}');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const hash = () => hashSources(root, ['daemon', 'lock.json', 'missing'], isTest);

it('an unchanged tree has the same hash', () => {
  expect(hash()).toBe(hash());
});

it('a changed file, a renamed file and a new file each change the hash', () => {
  const seen = new Set([hash()]);
  writeFileSync(join(root, 'daemon', 'cli', 'seed.ts'), 'two');
  seen.add(hash());
  renameSync(join(root, 'daemon', 'cli', 'seed.ts'), join(root, 'daemon', 'cli', 'sow.ts'));
  seen.add(hash());
  writeFileSync(join(root, 'daemon', 'main.ts'), '');
  seen.add(hash());
  expect(seen.size).toBe(4);
});

it('a test does not change the hash', () => {
  const before = hash();
  writeFileSync(join(root, 'daemon', 'main.test.ts'), 'new');
  expect(hash()).toBe(before);
});
