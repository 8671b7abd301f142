import { ESLint } from 'eslint';
import { globSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { findImportCircles } from '../import-circles';

const ROOT = resolve(import.meta.dirname, '../..');
const FIXTURES = 'tests/fixtures/lint';
const PRODUCT = '{app,daemon,shared,sandbox,migrations,tests}/**/*.{ts,tsx}';

it('ESLint refuses a circle of imports', async () => {
  const eslint = new ESLint({ cwd: ROOT, ignore: false });
  const results = await eslint.lintFiles([`${FIXTURES}/circle-of-values*.ts`]);
  const rules = results.map(({ messages }) => messages.map(({ ruleId }) => ruleId));
  expect(rules).toEqual([['import-x/no-cycle'], ['import-x/no-cycle']]);
}, 60_000);

it('a circle of type imports is found', () => {
  const [forth, back] = ['circle-of-types.ts', 'circle-of-types-back.ts'].map(
    (name) => `${FIXTURES}/${name}`,
  );
  const files = [forth, back].map((file) => join(ROOT, file ?? ''));
  expect(findImportCircles(ROOT, files)).toEqual([[forth, back, forth]]);
});

it('no file imports itself by a circle, types included', () => {
  const files = globSync(PRODUCT, { cwd: ROOT, exclude: (path) => path.startsWith(FIXTURES) });
  expect(files.length).toBeGreaterThan(500);
  expect(
    findImportCircles(
      ROOT,
      files.map((file) => join(ROOT, file)),
    ),
  ).toEqual([]);
}, 60_000);
