import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const PAGE = 'docs/decisions/2026-11-25-private-contracts-with-remix.md';

/** Names of Remix that it does not document, and notes of the version of Remix whose files were read. */
const PRIVATE =
  /__remix\w|X-Remix-|serverHandoffStream|data-discover|installGlobals|StreamPump|@remix-run\/[\w-]+ \d|\(2\.17, /;

test('every file that depends on a private part of Remix is on the page of the contracts', () => {
  const page = readFileSync(PAGE, 'utf8');
  const files = globSync(['{app,daemon,scripts,shared}/**/*.{ts,tsx,mjs}', '*.config.{js,ts}']).filter(
    (file) => !/\.test\.\w+$/.test(file),
  );
  const dependent = files.filter((file) => PRIVATE.test(readFileSync(file, 'utf8')));
  expect(dependent).toContain('app/entry.client.tsx');
  expect(dependent.filter((file) => !page.includes(`\`${file}\``))).toEqual([]);
});
