import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const DOCUMENTS = globSync(['*.md', 'docs/**/*.md']).sort();
const TOP_LEVEL = readdirSync('.');
/** Folders and files that the build, `npm start` and the benchmark make. */
const MADE = new Set(['build', 'data', 'DATA_DIR', 'bench-results.json']);
const SOURCE_FILE = /\.(?:tsx?|mjs|json|md)$/;
const FOLDERS = 'app,daemon,docs,migrations,public,sandbox,scripts,shared,tests';
const NAMES = new Set([
  ...TOP_LEVEL,
  ...globSync(`{${FOLDERS}}/**/*.*`, { exclude: ['**/node_modules/**'] }).map((file) => basename(file)),
]);

/** The text without its blocks of code, whose paths belong to other machines. */
function proseOf(document: string): string {
  return readFileSync(document, 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');
}

/** Files and folders in back quotes: paths from the root (`shared/news/article.ts`, `app/routes/`, `daemon/*.ts`), and names. */
function quotedPaths(text: string): string[] {
  return [...text.matchAll(/`([^`\s]+)`/g)]
    .map(([, quoted = '']) => quoted)
    .filter((quoted) => {
      const [first = '', ...others] = quoted.split('/');
      if (MADE.has(first) || !/^[\w$*][\w.$*-]*(?:\/[\w.$*-]*)*$/.test(quoted)) return false;
      return (others.length > 0 && TOP_LEVEL.includes(first)) || SOURCE_FILE.test(quoted);
    });
}

/** Whether a path, a pattern of paths or the name of a file exists. */
function exists(path: string): boolean {
  if (path.includes('*')) return globSync(path.includes('/') ? path : `{${FOLDERS}}/**/${path}`).length > 0;
  return path.includes('/') ? existsSync(path) : NAMES.has(path);
}

/** Links to files of the repository, from its root. */
function linkedPaths(text: string, document: string): string[] {
  return [...text.matchAll(/\]\(([^()\s#]+)(?:#[^()]*)?\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^(?:[a-z]+:|\/)/.test(target))
    .map((target) => join(dirname(document), target));
}

test.each(DOCUMENTS)('every path that %s names exists', (document) => {
  const text = proseOf(document);
  const paths = [...quotedPaths(text), ...linkedPaths(text, document)];
  expect(paths.filter((path) => !exists(path))).toEqual([]);
});

const CONFIGURATION = [
  '.env.example',
  'Dockerfile',
  'Procfile',
  'compose.yaml',
  'fly.toml',
  'litestream.yml',
];

test.each(CONFIGURATION)('every guide and section that %s points to exists', (file) => {
  const text = readFileSync(file, 'utf8');
  for (const [, guide = '', section] of text.matchAll(/\b(README|docs\/[\w-]+\.md)\b(?:, "([^"]+)")?/g)) {
    const document = readFileSync(guide === 'README' ? 'README.md' : guide, 'utf8');
    if (section !== undefined) expect(document).toMatch(new RegExp(`^#+ ${section}$`, 'm'));
  }
});

test('paths and names are found in back quotes and in links, and nothing else is taken for one', () => {
  const text =
    'See `shared/nowhere.ts`, `nowhere/at/all.ts`, `nowhere.server.ts`, `shared/no-*`, `app/`, [this](other.md#part), [that](/developers).';
  const others =
    '`/api/watches`, `text/html`, `build/sbom.json`, `a/b`, `npm run x/y`, `.test.ts`, [site](https://a.example/b)';
  expect(quotedPaths(text + others)).toEqual([
    'shared/nowhere.ts',
    'nowhere/at/all.ts',
    'nowhere.server.ts',
    'shared/no-*',
    'app/',
  ]);
  expect(linkedPaths(text + others, 'docs/a.md')).toEqual(['docs/other.md']);
  expect(quotedPaths(text).filter(exists)).toEqual(['app/']);
  expect(['documented-paths.test.ts', 'tests/unit/documented-*.test.ts', 'README.md'].every(exists)).toBe(
    true,
  );
});
