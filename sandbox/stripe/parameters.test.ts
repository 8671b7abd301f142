import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { buildParameterTable } from './build-parameters.mjs';

test('the table of parameters is the one of the installed SDK', () => {
  const stored = readFileSync(new URL('./parameters.json', import.meta.url), 'utf8');
  // When it differs: node sandbox/stripe/build-parameters.mjs
  expect(stored === buildParameterTable()).toBe(true);
});
