import { expect, test } from 'vitest';
import { findForeignText, ROOT, type ProductPattern } from './find-patterns';
import { faultOfGrowth } from './growth';
import { pumpsOf } from './pumped-texts';

/** In characters. */
const SIZE = 20_000;

/** Patterns that may take more time, each with its reason: they see only short texts or our own. */
const ALLOWED: Readonly<Record<string, string>> = {};

/** Files that build their patterns when they are imported: `recordBuilt` sees them. */
const BUILDING_MODULES = [
  'daemon/judging/product/choose-price',
  'daemon/judging/product/words/price-text',
  'daemon/judging/product/page/other-products',
  'daemon/judging/product/page/product-buttons',
  'daemon/judging/product/words/refusal-subject',
  'daemon/judging/product/words/release-date',
  'daemon/judging/product/words/stock-vocabulary',
  'daemon/judging/product/words/stock-words',
  'daemon/waiting-room/signs/queue-signs',
  'daemon/waiting-room/signs/refusal-signs',
  'daemon/waiting-room/words/shop-words',
  'daemon/waiting-room/words/waiting-words',
  'shared/production-faults.server',
];

/** Other files that call `RegExp`, each with its reason. */
const ALLOWED_BUILDERS: Readonly<Record<string, string>> = {
  'daemon/waiting-room/words/any-of.ts': 'builds the patterns of the files above',
  'app/http/page-cache/finished-page.server.ts': 'reads a page that this site rendered',
};

/** Files that normalise a text without `normaliseUnicode`, each with its reason. */
const ALLOWED_NORMALISING: Readonly<Record<string, string>> = {
  'shared/accounts/search-key.ts': 'its marks are removed first',
  'shared/text.ts': 'cuts long rows of marks first',
  'shared/accounts/passwords/password-hasher.server.ts':
    'a password has at most 800 code units; its hash may not change',
  'shared/accounts/passwords/common-passwords.server.ts': 'a password has at most 800 code units',
  'shared/accounts/passwords/own-words.ts': 'passwords, names and mail addresses, all bounded',
  'daemon/waiting-room/words/waiting-words.ts': 'our own phrases',
};

const { literals, builders, normalising } = findForeignText();

/** The fault of a pattern, for each text that is made for it. */
function faultOf({ file, pattern }: ProductPattern): string[] {
  const everywhere = new RegExp(pattern.source, `${pattern.flags.replace('g', '')}g`);
  for (const { before, pump, after } of pumpsOf(pattern)) {
    const grown = (size: number): string => before + pump.repeat(Math.ceil(size / pump.length)) + after;
    const fault = faultOfGrowth((size) => grown(size).replace(everywhere, ''), SIZE);
    if (fault !== null)
      return [
        `${file} ${String(pattern).slice(0, 200)} on ${JSON.stringify({ before, pump, after })}: ${fault}`,
      ];
  }
  return [];
}

/** The patterns that modules build with `RegExp` while they are evaluated once more. */
async function recordBuilt(modules: readonly string[]): Promise<ProductPattern[]> {
  const built: ProductPattern[] = [];
  const Original = RegExp;
  for (const file of modules) {
    globalThis.RegExp = class extends Original {
      constructor(pattern: RegExp | string, flags?: string) {
        super(pattern, flags);
        built.push({ file, pattern: new Original(pattern, flags) });
      }
    } as RegExpConstructor;
    try {
      // A query makes another instance of the module.
      await import(/* @vite-ignore */ `${ROOT}/${file}.ts?evaluated-again`);
    } finally {
      globalThis.RegExp = Original;
    }
  }
  return built;
}

test('every regular expression of the product takes linear time', () => {
  expect(literals.length).toBeGreaterThan(300);
  const different = new Map(literals.map((found) => [String(found.pattern), found]));
  const faults = [...different].flatMap(([text, found]) => (text in ALLOWED ? [] : faultOf(found)));
  expect(faults).toEqual([]);
});

test('every regular expression that is built at run time takes linear time', async () => {
  const known = [...BUILDING_MODULES.map((name) => `${name}.ts`), ...Object.keys(ALLOWED_BUILDERS)];
  expect([...builders].filter((file) => !known.includes(file))).toEqual([]);
  const built = await recordBuilt(BUILDING_MODULES);
  expect(built.length).toBeGreaterThan(10);
  expect(built.flatMap(faultOf)).toEqual([]);
});

test('a text is normalised in linear time', () => {
  expect([...normalising].filter((file) => !(file in ALLOWED_NORMALISING))).toEqual([]);
});

test('no entry of the lists of exceptions is left over', () => {
  const texts = new Set(literals.map(({ pattern }) => String(pattern)));
  expect(Object.keys(ALLOWED).filter((text) => !texts.has(text))).toEqual([]);
  expect(Object.keys(ALLOWED_BUILDERS).filter((file) => !builders.has(file))).toEqual([]);
  expect(Object.keys(ALLOWED_NORMALISING).filter((file) => !normalising.has(file))).toEqual([]);
});

test('patterns of quadratic and exponential time are found', () => {
  const slow = [/=+$/, /^(?:a+)+$/];
  expect(slow.filter((pattern) => faultOf({ file: '', pattern }).length === 0)).toEqual([]);
});
