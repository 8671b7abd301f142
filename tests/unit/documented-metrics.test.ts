import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('each metric that the operators’ guide names is one of the daemon', () => {
  const sources = globSync('daemon/health/*.ts').map((file) => readFileSync(file, 'utf8'));
  const named = readFileSync('docs/operating.md', 'utf8').match(/packwatch_\w+/g) ?? [];
  expect(named.length).toBeGreaterThan(5);
  for (const name of new Set(named))
    expect(
      sources.some((text) => text.includes(`'${name}'`)),
      name,
    ).toBe(true);
});
