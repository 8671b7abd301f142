import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const lines = readFileSync('Dockerfile', 'utf8').split('\n');

test('each base image is pinned by its digest, to one and the same', () => {
  const bases = lines.filter((line) => line.startsWith('FROM ')).map((line) => line.split(' ')[1]);
  expect(bases.length).toBeGreaterThan(1);
  expect(new Set(bases).size).toBe(1);
  for (const base of bases) expect(base).toMatch(/^node:24-[\w-]+@sha256:[0-9a-f]{64}$/);
});

test('the image runs as an ordinary user, and nothing switches back', () => {
  const users = lines.filter((line) => line.startsWith('USER '));
  expect(users).toEqual(['USER node']);
  expect(lines.indexOf('USER node')).toBeGreaterThan(lines.findLastIndex((line) => line.startsWith('RUN ')));
});
