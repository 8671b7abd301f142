import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { buildParameterTable } from './build-parameters.mjs';

test('the table of parameters has the requests that the sandbox serves, as the installed SDK declares them', () => {
  const stored = readFileSync(new URL('./parameters.json', import.meta.url), 'utf8');
  // When it differs: npx tsx sandbox/stripe/build-parameters.mjs
  expect(stored === buildParameterTable()).toBe(true);
});
