import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const OXLINT = resolve('node_modules/oxlint/bin/oxlint');
const CONFIG = '.oxlintrc.json';

/** The rules that a file with this code breaks, as `plugin(rule)`, in a folder with the lint settings and the packages. */
function rulesBroken(path: string, code: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'packwatch-lint-'));
  try {
    cpSync(CONFIG, join(folder, CONFIG));
    // Oxlint looks there for the program that knows the types.
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), code);
    const { stdout } = spawnSync(process.execPath, [OXLINT, '--format=json', path], {
      cwd: folder,
      encoding: 'utf8',
    });
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string }[] };
    return diagnostics.map(({ code }) => code);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it.each(['arrayBuffer', 'blob', 'formData', 'json', 'text'])(
  'a page must not read a request without limits, by %s',
  (read) => {
    const code = `export const action = ({ request }: { request: Request }) => request.${read}();\n`;
    expect(rulesBroken('app/routes/probe.ts', code)).toEqual(['eslint(no-restricted-properties)']);
  },
);

it.each(['request', 'args.request', 'incoming'])('a page must not copy a request: %s.clone()', (name) => {
  expect(rulesBroken('app/routes/probe.ts', `export const copy = () => ${name}.clone();\n`)).toContain(
    'eslint(no-restricted-properties)',
  );
});

it('only one file of the product reads the environment', () => {
  const code = 'export const port = process.env.PORT;\n';
  for (const path of ['daemon/probe.ts', 'app/probe.ts', 'shared/probe.ts'])
    expect(rulesBroken(path, code)).toEqual(['eslint(no-restricted-properties)']);
  for (const path of ['shared/config.server.ts', 'scripts/probe.mjs', 'tests/probe.ts'])
    expect(rulesBroken(path, code)).toEqual([]);
});

it('only the page forms use the form library’s own parsers', () => {
  const code =
    "export { parseWithZod } from '@conform-to/zod/v4';\nexport { parse } from '@conform-to/react';\n";
  expect(rulesBroken('app/routes/probe.ts', code)).toHaveLength(2);
  expect(rulesBroken('app/http/forms/page-forms.server.ts', code)).toEqual([]);
});

it('scripts, which TypeScript does not check, use no undefined name', () => {
  expect(rulesBroken('scripts/probe.mjs', 'start();\n')).toEqual(['eslint(no-undef)']);
});

it('components follow the rules of hooks', () => {
  const code =
    "import { useState } from 'react';\nexport function read(is: boolean) {\n  if (is) useState(1);\n}\n";
  expect(rulesBroken('app/components/probe.tsx', code)).toEqual(['react-hooks(rules-of-hooks)']);
});

it('a promise is awaited or handled, and stands only where one is expected', () => {
  const code = `declare function load(): Promise<number>;
declare function later(work: () => void): void;
export async function probe(): Promise<void> {
  load();
  later(async () => console.log(await load()));
  if (load()) await 1;
  await load();
  void load();
}
`;
  for (const path of ['app/routes/probe.ts', 'sandbox/probe.ts', 'tests/probe.ts'])
    expect(rulesBroken(path, code).toSorted()).toEqual([
      'typescript(await-thenable)',
      'typescript(no-floating-promises)',
      'typescript(no-misused-promises)',
      'typescript(no-misused-promises)',
    ]);
  expect(rulesBroken('scripts/probe.mjs', 'export const load = async () => 1;\nload();\n')).toEqual([
    'typescript(no-floating-promises)',
  ]);
});
