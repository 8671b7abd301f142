import { globSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import ts from 'typescript';

const ROOT = resolve(import.meta.dirname, '../../..');
const SOURCES = '{app,daemon,shared,sandbox,migrations,scripts,tests}/**/*.{ts,tsx,mjs}';

/** Files that break the rules on purpose. */
export const FIXTURES = 'tests/fixtures/lint';

const { options } = ts.parseJsonConfigFileContent(
  (ts.readConfigFile(`${ROOT}/tsconfig.json`, ts.sys.readFile) as { config: unknown }).config,
  ts.sys,
  ROOT,
);
const resolutions = ts.createModuleResolutionCache(ROOT, (name) => name, options);

/** The paths of all files of the repository that import others, relative to its folder. */
export function sourceFiles(): string[] {
  return globSync(SOURCES, { cwd: ROOT, exclude: (path) => path.startsWith(FIXTURES) });
}

/**
 * The files of the repository that a file imports, type imports included, as TypeScript reads and resolves them. Paths are
 * relative to the repository's folder. `code` is for a file that does not exist.
 */
export function importsOf(file: string, code = readFileSync(join(ROOT, file), 'utf8')): string[] {
  return ts
    .preProcessFile(code)
    .importedFiles.map(({ fileName }) =>
      ts.resolveModuleName(fileName, join(ROOT, file), options, ts.sys, resolutions),
    )
    .flatMap(({ resolvedModule }) => resolvedModule?.resolvedFileName ?? [])
    .map((path) => relative(ROOT, path))
    .filter((path) => !path.startsWith('..') && !path.startsWith('node_modules'));
}
