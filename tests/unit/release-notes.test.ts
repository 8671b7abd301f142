import { isTag, type Element } from 'domhandler';
import { filter } from 'domutils';
import { parseDocument } from 'htmlparser2';
import { expect, test } from 'vitest';
import { xssContents, xssTexts } from '../xss-corpus';
import { renderReleaseNotes } from '#shared/releases/release-notes.server';
import { cpuTimeOfCall } from '../cpu-time';

test('Markdown becomes HTML with headings below those of the page', () => {
  const notes = [
    '# Faster\n\n- **bold** and `code`\n- ~~gone~~',
    '[site](https://packwatch.example "title") https://packwatch.example/a?b=1&c',
    '![picture](https://evil.example/pixel.png)',
    '```js\n<b>1</b>\n```',
  ];
  expect(renderReleaseNotes(notes.join('\n\n'))).toBe(
    [
      '<h4>Faster</h4>',
      '<ul>\n<li><strong>bold</strong> and <code>code</code></li>\n<li><s>gone</s></li>\n</ul>',
      '<p><a href="https://packwatch.example" rel="nofollow noopener">site</a> <a href="https://packwatch.example/a?b=1&amp;c" rel="nofollow noopener">https://packwatch.example/a?b=1&amp;c</a></p>',
      '<p></p>',
      '<pre><code>&lt;b&gt;1&lt;/b&gt;\n</code></pre>',
    ].join('\n'),
  );
});

test('a table stays the text that it is', () => {
  expect(renderReleaseNotes('| a | b |\n|---|---|\n| 1 | 2 |')).toBe(
    '<p>| a | b |\n|---|---|\n| 1 | 2 |</p>',
  );
});

// axe refuses a page whose headings skip a level.
test.each([
  ['# A\n## B\n### C\n#### D\n# E', ['h4', 'h5', 'h6', 'h6', 'h4']],
  ['## A\n#### B\n## C', ['h4', 'h5', 'h4']],
  ['### A\n# B\n## C', ['h4', 'h4', 'h5']],
])('the headings of %j have levels without a gap', (notes, tags) => {
  expect(elementsOf(renderReleaseNotes(notes)).map(({ name }) => name)).toEqual(tags);
});

const elementsOf = (html: string): Element[] => filter(isTag, parseDocument(html)) as Element[];

const TAGS = 'p br hr h4 h5 h6 ul ol li blockquote strong em s code pre a'.split(' ');

test('no notes run code', () => {
  const addresses = [
    'javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    '//evil.example',
    'JaVaScRiPt&#58;x',
  ];
  const all = [
    ...xssContents.map(({ html }) => html),
    ...xssTexts.map(({ text }) => text),
    ...addresses.flatMap((address) => [`[x](${address})`, `<${address}>`, `[x]\n\n[x]: ${address}`]),
  ];
  for (const notes of all) {
    for (const { name, attribs } of elementsOf(renderReleaseNotes(notes))) {
      expect(TAGS).toContain(name);
      expect(['href', 'rel', 'start']).toEqual(expect.arrayContaining(Object.keys(attribs)));
      expect(attribs.href ?? '').toMatch(/^$|^https?:\/\/|^mailto:|^(?!\/\/)[^:]*$/);
    }
  }
});

test('deeply nested and very long notes are rendered in time', () => {
  const render = () => {
    for (const notes of [
      '> '.repeat(10_000),
      '['.repeat(20_000),
      '*a '.repeat(6_666),
      '`'.repeat(20_000),
      '- '.repeat(10_000),
    ])
      expect(renderReleaseNotes(notes)).toEqual(expect.any(String));
  };
  expect(cpuTimeOfCall(render)).toBeLessThan(5_000);
});
