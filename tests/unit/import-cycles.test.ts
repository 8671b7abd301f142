import { globSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const FIXTURES = 'tests/fixtures/lint';
const SOURCES = '{app,daemon,shared,sandbox,migrations,scripts,tests}/**/*.{ts,tsx,mjs}';

/** The import cycles among files, type imports included, each as the paths from its first file back to it. */
function findImportCycles(files: readonly string[]): string[][] {
  const { config } = ts.readConfigFile(`${ROOT}/tsconfig.json`, ts.sys.readFile) as { config: unknown };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const known = new Set(files);
  const cache = ts.createModuleResolutionCache(ROOT, (name) => name, options);
  const importsOf = (file: string): string[] =>
    ts
      .preProcessFile(readFileSync(file, 'utf8'))
      .importedFiles.map(({ fileName }) => ts.resolveModuleName(fileName, file, options, ts.sys, cache))
      .flatMap(({ resolvedModule }) => resolvedModule?.resolvedFileName ?? [])
      .filter((imported) => known.has(imported));

  const cycles: string[][] = [];
  const finished = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file);
    if (start !== -1) cycles.push([...path.slice(start), file].map((step) => relative(ROOT, step)));
    if (start !== -1 || finished.has(file)) return;
    for (const imported of importsOf(file)) visit(imported, [...path, file]);
    finished.add(file);
  };
  for (const file of files) visit(file, []);
  return cycles;
}

it.each(['cycle-of-values', 'cycle-of-types', 'cycle-of-value-and-type'])('finds a %s', (name) => {
  const [forth, back] = [`${FIXTURES}/${name}.ts`, `${FIXTURES}/${name}-back.ts`];
  expect(findImportCycles([forth, back].map((file) => join(ROOT, file)))).toEqual([[forth, back, forth]]);
});

it('no file is part of an import cycle, types included', () => {
  const files = globSync(SOURCES, { cwd: ROOT, exclude: (path) => path.startsWith(FIXTURES) });
  expect(files.length).toBeGreaterThan(500);
  expect(findImportCycles(files.map((file) => join(ROOT, file)))).toEqual([]);
}, 60_000);
