import { describe, expect, it } from 'vitest';
import { renderReleaseNotes } from './release-notes.server';

describe('release notes', () => {
  it.each([
    ['# A\n## B\n### C\n#### D\n# E', ['h4', 'h5', 'h6', 'h6', 'h4']],
    ['## A\n#### B\n## C', ['h4', 'h5', 'h4']],
    ['### A\n# B\n## C', ['h4', 'h4', 'h5']],
  ])('of %j have headings below level 3 without a gap', (notes, tags) => {
    const html = renderReleaseNotes(notes);
    expect([...html.matchAll(/<(h\d)>/g)].map(([, tag]) => tag)).toEqual(tags);
    expect([...html.matchAll(/<\/(h\d)>/g)].map(([, tag]) => tag)).toEqual(tags);
  });

  it.each([
    ['<script>alert(1)</script>', '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
    ['[a](javascript:alert(1))', '<p>[a](javascript:alert(1))</p>'],
    ['![a](https://other.example/a.png)', '<p></p>'],
    [
      '[Guide](https://packwatch.example "title")',
      '<p><a href="https://packwatch.example" rel="nofollow noopener">Guide</a></p>',
    ],
    ['**a** ~~b~~ `c`', '<p><strong>a</strong> <s>b</s> <code>c</code></p>'],
  ])('%j become %s', (notes, html) => {
    expect(renderReleaseNotes(notes)).toBe(html);
  });
});
