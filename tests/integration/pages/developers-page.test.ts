import { getAttributeValue, getElementsByTagName, textContent } from 'domutils';
import { parseDocument } from 'htmlparser2';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as page from '~/routes/site/developers';
import { createApiFixture, declaredCalls, SITE, type ApiFixture } from '../api/api-fixture';
import { createRenderedSite, type RenderedPage } from '../rendered-site';

let fixture: ApiFixture;
let rendered: RenderedPage;
let elements: ReturnType<typeof getElementsByTagName>;
beforeAll(async () => {
  fixture = await createApiFixture();
  rendered = await createRenderedSite({ '/developers': page }).get('/developers', '');
  elements = getElementsByTagName('*', parseDocument(rendered.html));
});
afterAll(() => fixture.cleanup());

test('the page has every call of the document, with its method, path and fields', () => {
  expect(rendered.status).toBe(200);
  for (const { method, path, description } of declaredCalls) {
    const section = elements.find((element) => getAttributeValue(element, 'id') === `call-${description.id}`);
    expect(section, description.id).toBeDefined();
    if (section === undefined) continue;
    const text = textContent(section);
    for (const words of [
      `${method} ${path}`,
      description.summary.replaceAll('`', ''),
      ...Object.keys(description.body?.shape ?? {}),
    ])
      expect(text).toContain(words);
  }
});

test('the page has every example of the guide, with the address of the site', () => {
  const guide = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8');
  const examples = [...guide.matchAll(/^```\w+\n([^]*?)^```$/gm)].map(([, text = '']) => text.trim());
  const shown = elements.filter(({ name }) => name === 'pre').map((element) => textContent(element));
  expect(examples.length).toBeGreaterThan(20);
  expect(shown).toEqual(
    expect.arrayContaining(examples.map((text) => text.replaceAll('http://localhost:3000', SITE))),
  );
});

test('each link within the page has a target, and no id occurs twice', () => {
  const ids = elements.flatMap((element) => getAttributeValue(element, 'id') ?? []);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  const targets = elements.flatMap(
    (element) => /^#(.+)/.exec(getAttributeValue(element, 'href') ?? '')?.[1] ?? [],
  );
  expect(targets.length).toBeGreaterThan(100);
  expect(targets.filter((target) => !ids.includes(target))).toEqual([]);
});

test('nothing comes from other sites, and the footer links to the page', () => {
  const sources = elements.flatMap((element) => getAttributeValue(element, 'src') ?? []);
  expect(sources.filter((source) => !source.startsWith('/'))).toEqual([]);
  const footer = elements.find(({ name }) => name === 'footer');
  expect(footer && textContent(footer)).toContain('Developers');
});
