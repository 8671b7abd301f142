import { expect, test } from 'vitest';
import { drawMarkdown } from './discord-markdown';

const NOW = Date.parse('2026-11-20T16:00:00.000Z');
const drawn = (text: string) => drawMarkdown(text, NOW).markup;
const unix = (iso: string) => Date.parse(iso) / 1_000;

test.each([
  ['**bold** and *low*', '<strong>bold</strong> and <em>low</em>'],
  ['__under__ ~~gone~~ `**code**`', '<u>under</u> <s>gone</s> <code>**code**</code>'],
  ['**a *b* c**', '<strong>a <em>b</em> c</strong>'],
  ['snake_case_name', 'snake_case_name'],
  ['\\*not bold\\*', '*not bold*'],
  ['one\ntwo', 'one<br />two'],
  ['<@&12>', '<span class="mention">@role 12</span>'],
])('%j is rendered as in Discord', (text, markup) => {
  expect(drawn(text)).toBe(markup);
});

test('links are http and https only', () => {
  expect(drawn('[shop](https://shop.example/a?b=1&c=2)')).toBe(
    '<a href="https://shop.example/a?b=1&amp;c=2" rel="noreferrer noopener">shop</a>',
  );
  expect(drawn('[shop](javascript:alert)')).not.toContain('<a');
});

test('markup in a message is text', () => {
  expect(drawn('<script>alert(1)</script> **<b>**')).toBe(
    '&lt;script&gt;alert(1)&lt;/script&gt; <strong>&lt;b&gt;</strong>',
  );
  expect(drawn('[a](https://x.example/"onclick="x)')).not.toContain('"onclick');
});

test('timestamps are relative or absolute', () => {
  expect(drawn(`<t:${unix('2026-11-20T15:58:00Z')}:R>`)).toContain('>2 minutes ago</time>');
  expect(drawn(`<t:${unix('2026-11-20T17:00:00Z')}:R>`)).toContain('>in 1 hour</time>');
  expect(drawn(`<t:${unix('2026-11-20T12:00:00Z')}:F>`)).toMatch(
    />Friday,? 20 November 2026 at \d\d:\d\d<\/time>/,
  );
  expect(drawn('<t:9999999999999:F>')).toContain('Invalid date');
});
