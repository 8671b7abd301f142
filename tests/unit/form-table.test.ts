import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FORM_PAGES, SENT_OTHERWISE } from '../e2e/form-table';

/** The files of the app by their path. */
type Sources = ReadonlyMap<string, string>;

/** The body of a table of sentences: of this file, or exported by another one. */
function findTable(name: string, { file, sources }: { file: string; sources: Sources }): string {
  const declaration = new RegExp(`^(?:export )?const ${name}\\b[^=]*= \\{(.*?)\\}(?: as const)?;`, 'ms');
  const own = declaration.exec(sources.get(file) ?? '');
  const found = own ?? [...sources.values()].map((text) => declaration.exec(text)).find(Boolean);
  if (!found) throw new Error(`${file}: the sentences ${name} are not in a table that this test can read`);
  return found[1] ?? '';
}

/** The declared intents: every key of the tables of sentences that pages give to their forms, by table. */
function declaredIntents(): string[] {
  const sources: Sources = new Map(
    globSync('app/**/*.{ts,tsx}')
      .filter((file) => !file.includes('.test.'))
      .map((file) => [file, readFileSync(file, 'utf8')]),
  );
  const tables = new Map<string, string>();
  for (const [file, text] of sources) {
    if (!/\bpageForms\(|= keepFormOnNetworkError\(/.test(text)) continue;
    for (const [, given = ''] of text.matchAll(
      /(?:\bfailed: |= keepFormOnNetworkError\()(\{[^}]*\}|[^\s,;)}]+)/g,
    ))
      for (const name of given.match(/[\w.]*\w/g)?.map((part) => part.replace('...', '')) ?? [])
        tables.set(name === 'FAILED' ? file : name, findTable(name, { file, sources }));
  }
  return [...tables].flatMap(([table, body]) =>
    [...body.matchAll(/(?:^|, )\s*'?([\w-]+)'?:/gm)].map(([, intent]) => `${table} ${intent}`),
  );
}

test('every declared form is in the table of forms', () => {
  const inTable = Object.values(FORM_PAGES)
    .flat()
    .flatMap(({ table, forms }) => forms.map((form) => `${form.table ?? table} ${form.intent}`));
  // The subscription page has the forms of the dashboard as well.
  const declared = [
    ...declaredIntents(),
    'SUBSCRIPTION_FAILED start-tokens',
    'SUBSCRIPTION_FAILED checkout-tokens',
  ];
  expect(new Set([...inTable, ...Object.keys(SENT_OTHERWISE)])).toEqual(new Set(declared));
});
