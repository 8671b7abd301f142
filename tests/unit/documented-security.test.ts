import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const text = readFileSync(new URL('docs/security.md', ROOT), 'utf8');

/** The lines of the tables: number, level, requirement, held by. */
const lines = text
  .split('\n')
  .filter((line) => /^\| *\d/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()));

test('docs/security.md has each line of ASVS 5.0.0, levels 1 and 2, once and in order', () => {
  const numbers = lines.map(([, number = '']) => number);
  expect(new Set(numbers).size).toBe(253);
  expect(numbers).toHaveLength(253);
  expect(lines.filter(([, , level]) => level === '1')).toHaveLength(70);
  const inOrder = numbers.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  expect(numbers).toEqual(inOrder);
  for (const [, number, , requirement = '', held = ''] of lines)
    expect([number, requirement !== '', held !== '']).toEqual([number, true, true]);
});
