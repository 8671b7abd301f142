import { expect, it } from 'vitest';
import { FIXTURES, importsOf, sourceFiles } from './import-graph';

/** The import cycles among files, type imports included, each as the paths from its first file back to it. */
function findImportCycles(files: readonly string[]): string[][] {
  const known = new Set(files);
  const cycles: string[][] = [];
  const finished = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file);
    if (start !== -1) cycles.push([...path.slice(start), file]);
    if (start !== -1 || finished.has(file)) return;
    for (const imported of importsOf(file)) if (known.has(imported)) visit(imported, [...path, file]);
    finished.add(file);
  };
  for (const file of files) visit(file, []);
  return cycles;
}

it.each(['cycle-of-values', 'cycle-of-types', 'cycle-of-value-and-type'])('finds a %s', (name) => {
  const [forth, back] = [`${FIXTURES}/${name}.ts`, `${FIXTURES}/${name}-back.ts`];
  expect(findImportCycles([forth, back])).toEqual([[forth, back, forth]]);
});

it('no file is part of an import cycle, types included', () => {
  const files = sourceFiles();
  expect(files.length).toBeGreaterThan(500);
  expect(findImportCycles(files)).toEqual([]);
}, 60_000);
