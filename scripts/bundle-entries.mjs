import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './project.mjs';

/**
 * Entry points of the bundles as `[name below build/, source]`: the two processes, the benchmark, and the command
 * line tools that package.json runs through cli.mjs.
 */
export function bundleEntries() {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const tools = new Set(
    Object.values(scripts).flatMap((line) => / scripts\/cli\.mjs ([\w-]+)$/.exec(line)?.[1] ?? []),
  );
  const files = [
    'daemon/main.ts',
    ...[...tools].map((name) => `daemon/cli/${name}.ts`),
    'sandbox/main.ts',
    ...[
      'tests/bench/main.ts',
      'tests/bench/bench-server.ts',
      'tests/bench/page-load/bare-news-server.ts',
    ].filter((file) => existsSync(join(ROOT, file))),
  ];
  return files.map((file) => [file.replace(/^tests\//, '').replace(/\.ts$/, ''), join(ROOT, file)]);
}
