import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { beforeAll, expect, it } from 'vitest';

const OXLINT = resolve('node_modules/oxlint/bin/oxlint');
const CONFIG = '.oxlintrc.json';

interface Report {
  diagnostics: { filename: string; code: string }[];
}

/** The files of the one run of Oxlint, by path: a run takes as long for all as for one. */
const probes: Record<string, string> = {};
let report: Report;

/** Adds a file to the run. Returns a function for tests: the rules that the file breaks, as `plugin(rule)`. */
function probe(path: string, code: string): () => string[] {
  probes[path] = code;
  return () =>
    report.diagnostics.filter(({ filename }) => filename === path).map(({ code: broken }) => broken);
}

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'packwatch-lint-'));
  try {
    cpSync(CONFIG, join(folder, CONFIG));
    // Oxlint looks there for the program that knows the types.
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    for (const [path, code] of Object.entries(probes)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), code);
    }
    const { stdout } = spawnSync(process.execPath, [OXLINT, '--format=json', ...Object.keys(probes)], {
      cwd: folder,
      encoding: 'utf8',
    });
    report = JSON.parse(stdout) as Report;
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it.each(
  ['arrayBuffer', 'blob', 'formData', 'json', 'text'].map((read) => {
    const code = `export const action = ({ request }: { request: Request }) => request.${read}();\n`;
    return [read, probe(`app/routes/reads-${read}.ts`, code)] as const;
  }),
)('a page must not read a request without limits, by %s', (_read, broken) => {
  expect(broken()).toEqual(['eslint(no-restricted-properties)']);
});

it.each(
  ['request', 'args.request', 'incoming'].map(
    (name) =>
      [name, probe(`app/routes/copies-${name}.ts`, `export const copy = () => ${name}.clone();\n`)] as const,
  ),
)('a page must not copy a request: %s.clone()', (_name, broken) => {
  expect(broken()).toContain('eslint(no-restricted-properties)');
});

const readsEnvironment = (path: string) =>
  [path, probe(path, 'export const port = process.env.PORT;\n')] as const;

it.each(['daemon/port.ts', 'app/port.ts', 'shared/port.ts'].map(readsEnvironment))(
  'only one file of the product reads the environment, not %s',
  (_path, broken) => {
    expect(broken()).toEqual(['eslint(no-restricted-properties)']);
  },
);

it.each(['shared/config.server.ts', 'scripts/port.mjs', 'tests/port.ts'].map(readsEnvironment))(
  '%s may read the environment',
  (_path, broken) => {
    expect(broken()).toEqual([]);
  },
);

const SHORT_WAIT = "import { vi } from 'vitest';\nexport const wait = () => vi.waitFor(() => 1);\n";

it.each(
  ['tests/waits.ts', 'app/waits.test.ts', 'app/waits.test.tsx', 'scripts/waits.test.mjs'].map(
    (path) => [path, probe(path, SHORT_WAIT)] as const,
  ),
)('a test waits for a state with a limit for busy machines: %s', (_path, broken) => {
  expect(broken()).toEqual(['eslint(no-restricted-properties)']);
});

const PARSERS = "export { parseWithZod } from '@conform-to/zod/v4';\n";
const pageParses = probe('app/routes/parses.ts', PARSERS);
const pageFormsParse = probe('app/http/forms/page-forms.server.ts', PARSERS);

it('only the page forms use the form library’s own parsers', () => {
  expect(pageParses()).toHaveLength(1);
  expect(pageFormsParse()).toEqual([]);
});

const undefinedName = probe('scripts/undefined-name.mjs', 'start();\n');

it('scripts, which TypeScript does not check, use no undefined name', () => {
  expect(undefinedName()).toEqual(['eslint(no-undef)']);
});

const conditionalHook = probe(
  'app/components/conditional-hook.tsx',
  "import { useState } from 'react';\nexport function read(kind: boolean) {\n  if (kind) useState(1);\n}\n",
);

it('components follow the rules of hooks', () => {
  expect(conditionalHook()).toEqual(['react-hooks(rules-of-hooks)']);
});

const PROMISES = `declare function load(): Promise<number>;
declare function later(work: () => void): void;
export async function probe(): Promise<void> {
  load();
  later(async () => console.log(await load()));
  if (load()) await 1;
  await load();
  void load();
}
`;

it.each(
  ['app/routes', 'daemon', 'shared', 'migrations', 'sandbox', 'tests'].map(
    (folder) => [folder, probe(`${folder}/promises.ts`, PROMISES)] as const,
  ),
)('a promise is awaited or handled, and stands only where one is expected: %s', (_folder, broken) => {
  expect(broken().toSorted()).toEqual([
    'typescript(await-thenable)',
    'typescript(no-floating-promises)',
    'typescript(no-misused-promises)',
    'typescript(no-misused-promises)',
  ]);
});

const floatsInScript = probe('scripts/floats.mjs', 'export const load = async () => 1;\nload();\n');

it('a promise floats in no script', () => {
  expect(floatsInScript()).toEqual(['typescript(no-floating-promises)']);
});
