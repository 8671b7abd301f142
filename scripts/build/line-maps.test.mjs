import { build } from 'esbuild';
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepLines } from './line-maps.mjs';

let folder;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'packwatch-maps-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Bundles a file and a package that it imports, and returns the code and its source map. */
async function bundle() {
  const packageFolder = join(folder, 'node_modules', 'a-package');
  mkdirSync(packageFolder, { recursive: true });
  writeFileSync(
    join(packageFolder, 'index.js'),
    'export function foreign() {\n  return globalThis.first;\n}\n',
  );
  writeFileSync(
    join(folder, 'ours.ts'),
    `import { foreign } from 'a-package';\n\ninterface Unused { text: string }\n\nexport const ours = (): string => {\n  const kept = 1; const thrown = foreign();\n  return String(kept + thrown);\n};\n`,
  );
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: ['ours.ts'],
    outdir: 'build',
    bundle: true,
    format: 'esm',
    sourcemap: true,
    write: false,
  });
  const textOf = (ending) => outputFiles.find(({ path }) => path.endsWith(ending)).text;
  return { lines: textOf('.js').split('\n'), map: JSON.parse(textOf('.map')) };
}

test('a reduced map leads from each line of our code to its source, and holds neither packages nor texts', async () => {
  const { lines, map } = await bundle();
  const reduced = keepLines(map);
  const found = (text) => {
    const line = lines.findIndex((each) => each.includes(text));
    return new SourceMap(reduced).findEntry(line, lines[line].indexOf(text));
  };
  expect(found('thrown = foreign()')).toMatchObject({ originalSource: '../ours.ts', originalLine: 5 });
  expect(found('String(')).toMatchObject({ originalSource: '../ours.ts', originalLine: 6 });
  // A line of a package has no entry.
  expect(reduced.mappings.split(';')[lines.findIndex((each) => each.includes('globalThis.first'))]).toBe('');
  expect(reduced).not.toHaveProperty('sourcesContent');
});

test('a map without lines stays one', () => {
  expect(keepLines({ version: 3, sources: [], names: [], mappings: '' }).mappings).toBe('');
});
