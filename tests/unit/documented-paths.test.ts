import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const DOCUMENTS = globSync(['*.md', 'docs/**/*.md']).sort();
const TOP_LEVEL = new Set(readdirSync('.'));
/** Folders that the build and `npm start` make. */
const MADE = new Set(['build', 'data', 'DATA_DIR']);
const SOURCE_FILE = /\.(?:tsx?|mjs|json|md)$/;

/** The text without its blocks of code, whose paths belong to other machines. */
function proseOf(document: string): string {
  return readFileSync(document, 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');
}

/** Paths of the repository in back quotes, from its root: `shared/news/article.ts`, `app/routes/`. */
function quotedPaths(text: string): string[] {
  return [...text.matchAll(/`([^`\s]+)`/g)]
    .map(([, quoted = '']) => quoted)
    .filter((quoted) => {
      const [first = '', ...others] = quoted.split('/');
      if (MADE.has(first) || others.length === 0 || !/^[\w.$-]+(?:\/[\w.$-]*)+$/.test(quoted)) return false;
      return TOP_LEVEL.has(first) || SOURCE_FILE.test(quoted);
    });
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
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});

test('paths are found in back quotes and in links, and nothing else is taken for one', () => {
  const text =
    'See `shared/nowhere.ts`, `nowhere/at/all.ts`, `app/`, [this](other.md#part), [that](/developers).';
  const others =
    '`/api/watches`, `text/html`, `build/sbom.json`, `a/b`, `npm run x/y`, [site](https://a.example/b)';
  expect(quotedPaths(text + others)).toEqual(['shared/nowhere.ts', 'nowhere/at/all.ts', 'app/']);
  expect(linkedPaths(text + others, 'docs/a.md')).toEqual(['docs/other.md']);
});
