import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { operationFiles } from './operation-files';

const ROOT = resolve(import.meta.dirname, '../../..');

/** The files of each face, apart from tests and what fills a database with examples. */
const FACES = {
  api: 'app/routes/api/**/*.{ts,tsx}',
  pages: 'app/routes/!(api)/**/*.{ts,tsx}',
  commands: 'daemon/cli/**/!(seed|demo*).ts',
};

const WRITES = /\.(?:insertInto|updateTable|deleteFrom)\(/;
/** Read-only functions, by the verbs of the style guide; some also record the use of a session. */
const READS = /#(?:describe|find|list|read|require)[A-Z]/;
/** It only returns functions that write. */
const CONTEXT = /\/context\.server\.ts#/;

interface Declaration {
  /** As `path#name`. */
  uses: string[];
  writes: boolean;
}

function pathOf(specifier: string, from: string): string | null {
  const path = specifier.startsWith('#shared/')
    ? specifier.slice(1)
    : specifier.startsWith('~/')
      ? `app/${specifier.slice(2)}`
      : specifier.startsWith('.')
        ? join(dirname(from), specifier)
        : null;
  if (path === null) return null;
  return ['.ts', '.tsx'].map((ending) => path + ending).find((file) => existsSync(join(ROOT, file))) ?? null;
}

/** The declarations of a formatted file: each starts in the first column. */
function declarationsOf(file: string): Map<string, Declaration> {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const names = new Map<string, string>();
  for (const [, list = '', specifier = ''] of text.matchAll(
    /^import (?:type )?\{([^}]+)\} from '([^']+)'/gm,
  )) {
    const imported = pathOf(specifier, file);
    for (const part of list.split(',').filter(() => imported !== null)) {
      const [name = '', local = name] = part.trim().split(' as ');
      names.set(local, `${imported}#${name}`);
    }
  }
  const parts = text
    .split(/^(?=(?:export )?(?:default )?(?:async )?(?:function\*?|const|class) \w)/m)
    .slice(1);
  const named = parts.map(
    (part) => [/(?:function\*?|const|class) (\w+)/.exec(part)?.[1] ?? '', part] as const,
  );
  for (const [name] of named) names.set(name, `${file}#${name}`);
  return new Map(
    named.map(([name, part]) => [
      `${file}#${name}`,
      {
        uses: [...new Set(part.match(/(?<![.\w])\w+/g))].flatMap((word) => names.get(word) ?? []),
        writes: WRITES.test(part),
      },
    ]),
  );
}

const faces: readonly (readonly [string, readonly string[]])[] = [
  ['operations', operationFiles],
  ...Object.entries(FACES).map(([face, pattern]) => [face, globSync(pattern, { cwd: ROOT })] as const),
];
const sources = [
  ...globSync('{shared,app/http}/**/*.ts', { cwd: ROOT }),
  ...faces.flatMap(([, files]) => files),
];
const declarations = new Map(
  sources.filter((file) => !file.includes('.test.')).flatMap((file) => [...declarationsOf(file)]),
);

/** Every declaration that uses one of them, directly or not, and they themselves. */
function withUsers(found: ReadonlySet<string>): Set<string> {
  const users = [...declarations].filter(([, { uses }]) => uses.some((use) => found.has(use)));
  const all = new Set([...found, ...users.map(([name]) => name)]);
  return all.size === found.size ? all : withUsers(all);
}

const writers = withUsers(
  new Set([...declarations].filter(([, { writes }]) => writes).map(([name]) => name)),
);

const fileOf = (name: string) => name.split('#')[0] ?? '';

/** The functions of shared/ that write, and that the files of a face call without another face between them. */
function writesOf(files: readonly string[]): Set<string> {
  // Another face has its own test; the page of the API's documentation imports its calls.
  const others = new Set(faces.flatMap(([, all]) => all).filter((file) => !files.includes(file)));
  const seen = new Set<string>();
  const found = new Set<string>();
  const visit = (name: string): void => {
    if (seen.has(name) || CONTEXT.test(name) || others.has(fileOf(name))) return;
    seen.add(name);
    if (name.startsWith('shared/') && !files.includes(fileOf(name))) {
      if (writers.has(name) && !READS.test(name)) found.add(name);
      return;
    }
    for (const use of declarations.get(name)?.uses ?? []) visit(use);
  };
  for (const name of declarations.keys()) if (files.includes(fileOf(name))) visit(name);
  return found;
}

/** Each function of shared/ that writes and that a face calls, with these faces. */
export function facesOfWrites(): Map<string, string[]> {
  const writes = new Map<string, string[]>();
  for (const [face, files] of faces)
    for (const name of writesOf(files)) writes.set(name, [...(writes.get(name) ?? []), face]);
  return writes;
}
