import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import ts from 'typescript';

/**
 * The circles among TypeScript files, each as the paths from its first file back to it. Imports of types count, too:
 * `import-x/no-cycle` skips those.
 */
export function findImportCircles(root: string, files: readonly string[]): string[][] {
  const options = readOptions(root);
  const known = new Set(files);
  const cache = ts.createModuleResolutionCache(root, (name) => name, options);
  const importsOf = (file: string): string[] =>
    ts
      .preProcessFile(readFileSync(file, 'utf8'))
      .importedFiles.map(({ fileName }) => ts.resolveModuleName(fileName, file, options, ts.sys, cache))
      .flatMap(({ resolvedModule }) => resolvedModule?.resolvedFileName ?? [])
      .filter((imported) => known.has(imported));

  const circles: string[][] = [];
  const finished = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file);
    if (start !== -1) circles.push([...path.slice(start), file].map((step) => relative(root, step)));
    if (start !== -1 || finished.has(file)) return;
    for (const imported of importsOf(file)) visit(imported, [...path, file]);
    finished.add(file);
  };
  for (const file of files) visit(file, []);
  return circles;
}

function readOptions(root: string): ts.CompilerOptions {
  const { config } = ts.readConfigFile(`${root}/tsconfig.json`, ts.sys.readFile) as { config: unknown };
  return ts.parseJsonConfigFileContent(config, ts.sys, root).options;
}
