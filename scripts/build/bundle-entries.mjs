import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../project.mjs';

/** The entry points of each part. Functions, because the daemon's are read from package.json. */
const ENTRIES = {
  daemon: () => [
    'daemon/main.ts',
    'daemon/checks/judge-thread.ts',
    ...tools().map((name) => `daemon/cli/${name}.ts`),
  ],
  sandbox: () => ['sandbox/main.ts'],
  bench: () => [
    'tests/bench/main.ts',
    'tests/bench/bench-server.ts',
    'tests/bench/downloads/download-crowd.ts',
    'tests/bench/members/receivers.ts',
    'tests/bench/page-load/bare-news-server.ts',
    'tests/bench/scale/delaying-proxy.ts',
    'tests/bench/watches/crowd-process.ts',
  ],
};

/** The entry points of a part (`daemon`, `sandbox`, `bench`) as `[name below build/, source]`. */
export function bundleEntries(part) {
  return ENTRIES[part]().map((file) => [file.replace(/^tests\//, '').replace(/\.ts$/, ''), join(ROOT, file)]);
}

/** The names of the commands that package.json runs through cli.mjs. */
function tools() {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return [
    ...new Set(
      Object.values(scripts).flatMap(
        (line) => / scripts\/commands\/cli\.mjs ([\w-]+)$/.exec(line)?.[1] ?? [],
      ),
    ),
  ];
}
