import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { importsOf, sourceFiles } from './import-graph';
import {
  ALLOWED_IMPORTS,
  ALLOWED_IN_APP,
  forbiddenImport,
  importableFolders,
  importableInApp,
  partsOfApp,
  partsOfShared,
} from './import-rule';

const parts = Object.keys(ALLOWED_IMPORTS);

/** The import path of one module of a folder of shared/. */
function moduleOf(part: string): string {
  const file = globSync(`shared/${part}/**/*.ts`).find((path) => !path.endsWith('.test.ts')) ?? 'none';
  return `#${file.replace(/\.ts$/, '')}`;
}

/** Follows every path from part to part; fails when one returns to a part that it has passed. */
function expectNoCycles(all: readonly string[], importsOfPart: (part: string) => readonly string[]): void {
  const follow = (part: string, path: readonly string[]): void => {
    expect(path, [...path, part].join(' → ')).not.toContain(part);
    for (const next of importsOfPart(part)) follow(next, [...path, part]);
  };
  for (const part of all) follow(part, []);
}

/** The folder of a table that holds a file, such as `shared/news` or, of app/, `components/ui`. */
const partOf = (file: string): string =>
  file
    .replace(/^app\//, '')
    .split('/', 2)
    .join('/');

/** Why a file must not import what its code imports. */
function faultsOf(file: string, code?: string): string[] {
  return importsOf(file, code).flatMap((imported) => forbiddenImport(file, imported) ?? []);
}

it('nothing outside shared/database depends on the database engine', () => {
  const asking = sourceFiles().filter(
    (file) =>
      /^(?:app|daemon|shared)\//.test(file) &&
      !/^shared\/database(?:\/|-config\.ts$)|\.test\.ts$/.test(file) &&
      /\b(?:Sqlite|Postgres)(?:Adapter|Dialect)\b|\bengine\b ?(?:===|!==|:|in\b)/.test(
        readFileSync(file, 'utf8'),
      ),
  );
  expect(asking).toEqual([]);
});

it('every file keeps the import rule, and every folder that the tables list is imported', () => {
  const files = sourceFiles();
  expect(files.length).toBeGreaterThan(500);
  const imports = files.flatMap((file) => importsOf(file).map((imported) => ({ file, imported })));
  expect(imports.flatMap(({ file, imported }) => forbiddenImport(file, imported) ?? [])).toEqual([]);

  const used = new Set(imports.map(({ file, imported }) => `${partOf(file)} → ${partOf(imported)}`));
  const listed = [
    ...parts.flatMap((part) =>
      (ALLOWED_IMPORTS[part] ?? []).map((other) => `shared/${part} → shared/${other}`),
    ),
    ...Object.entries(ALLOWED_IN_APP).flatMap(([part, others]) =>
      others.map((other) => `${part} → ${part.split('/', 1)[0]}/${other}`),
    ),
  ];
  expect(listed.filter((arrow) => !used.has(arrow))).toEqual([]);
}, 60_000);

describe('the table of shared/', () => {
  const forbiddenParts = (file: string) =>
    parts.filter((part) => faultsOf(file, `import '${moduleOf(part)}';\n`).length > 0);

  it.each(parts)('lets %s import only the folders that it lists', (part) => {
    expect(forbiddenParts(`shared/${part}/probe.ts`)).toEqual(
      parts.filter((other) => !importableFolders(part).includes(other)),
    );
  });

  it('lets a module directly in shared/ import no folder of it', () => {
    expect(forbiddenParts('shared/clock.ts')).toEqual(parts);
    expect(faultsOf('shared/errors.ts', "import './clock';\n")).toEqual([]);
  });

  it('lets app and daemon import every folder', () => {
    for (const file of ['app/probe.ts', 'daemon/probe.ts']) expect(forbiddenParts(file)).toEqual([]);
  });

  it('has no cycles', () => {
    expectNoCycles(parts, (part) => ALLOWED_IMPORTS[part] ?? []);
  });

  it('lists exactly the folders that exist', () => {
    expect(parts.toSorted()).toEqual(partsOfShared().folders.toSorted());
  });
});

describe('the table of app/', () => {
  const appParts = Object.keys(ALLOWED_IN_APP);
  const forbiddenIn = (file: string) =>
    appParts.filter((part) => forbiddenImport(file, `app/${part}/probe.ts`) !== null);

  it.each(appParts)('lets %s import only the folders that it lists', (part) => {
    expect(forbiddenIn(`app/${part}/probe.ts`)).toEqual(
      appParts.filter((other) => !importableInApp(part).includes(other)),
    );
  });

  it('lets the files directly in app/ and routes/ import every folder, and no folder import them', () => {
    for (const file of ['app/root.tsx', 'app/routes/healthz.ts']) {
      expect(forbiddenIn(file)).toEqual([]);
      for (const part of appParts) expect(forbiddenImport(`app/${part}/probe.ts`, file)).not.toBeNull();
    }
  });

  it('lets only the files above all folders import the steps before Remix', () => {
    expect(appParts.filter((part) => importableInApp(part).includes('http/pipeline'))).toEqual([
      'http/pipeline',
    ]);
  });

  it('lets components import neither http/ nor routes, and http/ neither components nor routes', () => {
    for (const part of appParts) {
      const [kind] = part.split('/', 1);
      if (kind === 'components' || kind === 'http')
        expect(importableInApp(part).every((name) => name.startsWith(`${kind}/`))).toBe(true);
    }
  });

  it('has no cycles', () => {
    expectNoCycles(appParts, (part) => importableInApp(part).filter((name) => name !== part));
  });

  it('lists exactly the folders that exist', () => {
    expect(appParts.toSorted()).toEqual(partsOfApp().toSorted());
  });
});

describe('the import rule', () => {
  it.each([
    ['app imports daemon', 'app/probe.ts', "import '../daemon/main';\n"],
    ['app imports daemon, from a route', 'app/routes/probe.ts', "import '../../daemon/daemon';\n"],
    ['daemon imports app', 'daemon/probe.ts', "import '../app/root';\n"],
    ['shared imports daemon', 'shared/monitor/probe.ts', "import '../../daemon/daemon';\n"],
    ['shared imports app', 'shared/probe.ts', "import '../app/root';\n"],
    ['database imports alerts', 'shared/database/probe.ts', "import '../alerts/deliveries/deliveries';\n"],
    ['alerts import monitor', 'shared/alerts/probe.ts', "import '../monitor/checks/verdict';\n"],
    ['accounts import news', 'shared/accounts/probe.ts', "import '../news/find-article';\n"],
    ['storage imports news', 'shared/storage/probe.ts', "import '../news/find-article';\n"],
    ['content imports news', 'shared/content/probe.ts', "import '../news/find-article';\n"],
    ['settings import news', 'shared/settings/probe.ts', "import '../news/find-article';\n"],
    ['news import settings', 'shared/news/probe.ts', "import '../settings/read-settings';\n"],
    ['queues import news', 'shared/queues/probe.ts', "import '../news/find-article';\n"],
    ['a component imports http/', 'app/components/ui/probe.ts', "import '~/http/server/etag.server';\n"],
    ['a component imports a route', 'app/components/ui/probe.ts', "import '~/routes/healthz';\n"],
    ['a component imports the root route', 'app/components/ui/probe.ts', "import '~/root';\n"],
    ['a route imports the list of routes', 'app/routes/site/probe.ts', "import '~/routes';\n"],
    [
      'a route imports the pipeline',
      'app/routes/site/probe.ts',
      "import '~/http/pipeline/pipeline.server';\n",
    ],
    ['http/ imports a component', 'app/http/auth/probe.ts', "import '~/components/ui/card';\n"],
    ['http/ imports a route', 'app/http/auth/probe.ts', "import '~/routes/healthz';\n"],
    ['the context imports access', 'app/http/server/probe.ts', "import '../auth/access.server';\n"],
    ['a base component imports forms', 'app/components/ui/probe.ts', "import '../forms/use-forms';\n"],
    ['sandbox imports tests', 'sandbox/probe.ts', "import '../tests/unit/arbitrary-articles';\n"],
    ['sandbox imports shared', 'sandbox/probe.ts', "import '../shared/clock';\n"],
    ['app imports tests', 'app/probe.ts', "import '../tests/unit/arbitrary-articles';\n"],
    ['a type import', 'app/probe.ts', "import type { Daemon } from '../daemon/daemon';\n"],
    ['a rule asks for the engine', 'shared/monitor/probe.ts', "import '../database/sqlite/free-space';\n"],
    [
      'the daemon asks for the engine',
      'daemon/probe.ts',
      "import '#shared/database/postgres/transaction';\n",
    ],
    ['a dynamic import', 'app/probe.ts', "await import('../daemon/daemon');\n"],
    ['a re-export', 'app/probe.ts', "export * from '../daemon/daemon';\n"],
  ])('forbids: %s', (_name, file, code) => {
    expect(faultsOf(file, code)).toHaveLength(1);
  });

  it.each([
    ['app imports shared', 'app/probe.ts', "import '#shared/clock';\n"],
    ['daemon imports shared', 'daemon/probe.ts', "import '#shared/clock';\n"],
    ['news import storage', 'shared/news/probe.ts', "import '../storage/upload-path';\n"],
    ['monitor imports alerts', 'shared/monitor/probe.ts', "import '../alerts/deliveries/deliveries';\n"],
  ])('allows: %s', (_name, file, code) => {
    expect(importsOf(file, code)).toHaveLength(1);
    expect(faultsOf(file, code)).toEqual([]);
  });
});
