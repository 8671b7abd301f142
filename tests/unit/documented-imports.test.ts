import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ALLOWED_IMPORTS } from './imports/import-rule';

/** Left out of the drawing: most folders may import them. */
const COMMON = new Set(['database', 'queues', 'outbox', 'audit', 'content', 'mail', 'network']);

test('the drawing of shared/ in docs/architecture.md has the arrows of the import table', () => {
  const text = readFileSync('docs/architecture.md', 'utf8');
  const drawings = [...text.matchAll(/```mermaid\nflowchart TD\n([\s\S]*?)```/g)];
  expect(drawings).toHaveLength(1);
  const drawn = [...(drawings[0]?.[1] ?? '').matchAll(/^ {2}([\w-]+) --> ([\w-]+)$/gm)].map(
    ([, from, to]) => `${from} → ${to}`,
  );
  const allowed = Object.entries(ALLOWED_IMPORTS)
    .filter(([from]) => !COMMON.has(from))
    .flatMap(([from, targets]) => targets.filter((to) => !COMMON.has(to)).map((to) => `${from} → ${to}`));
  expect(drawn.toSorted()).toEqual(allowed.toSorted());
});
