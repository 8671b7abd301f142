import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const GLOSSARY = 'docs/glossary.md';

/** The phrases of the third column: code in backticks, in the rows of the glossary's tables. */
function readUnusedPhrases(): string[] {
  const rows = readFileSync(join(ROOT, GLOSSARY), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '));
  return rows.flatMap((row) =>
    [...(row.split(' | ')[2] ?? '').matchAll(/`([^`]+)`/g)].map(([, phrase = '']) => phrase.toLowerCase()),
  );
}

/** The files with texts that people read: pages, messages, mails, commands, documentation. */
const FILES = [
  ...globSync(
    ['{app,shared,daemon}/**/*.{ts,tsx}', 'docs/*.md', 'README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
    { cwd: ROOT },
  ),
].filter((file) => !/\.test\.tsx?$/.test(file) && file !== GLOSSARY);

it('no text calls a thing by a name that the glossary rules out', () => {
  const phrases = readUnusedPhrases();
  expect(phrases.length).toBeGreaterThan(15);
  const found = FILES.flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8').replaceAll(/\s+/g, ' ');
    const lower = text.toLowerCase();
    // "Pro members" is right: only the lower case is ruled out.
    return phrases
      .filter((phrase) => (phrase === 'pro members' ? text : lower).includes(phrase))
      .map((phrase) => `${file}: ${phrase}`);
  });
  expect(found).toEqual([]);
});
