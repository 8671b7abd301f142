import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SECOND } from '#shared/clock';
import { measureArticle, sanitiseArticleHtml, textOfArticle } from '#shared/news/article-html.server';
import { fullToolbarHtml, xssContents } from '../xss-corpus';

const RELATIONS = 'rel="noopener noreferrer nofollow"';

describe('sanitising an article', () => {
  it('leaves everything that the toolbar makes as it is, byte for byte', () => {
    expect(sanitiseArticleHtml(fullToolbarHtml)).toBe(fullToolbarHtml);
  });

  it.each([
    [
      'old words for the same',
      '<b>a</b><i>b</i><del>c</del><strike>d</strike>',
      '<strong>a</strong><em>b</em><s>c</s><s>d</s>',
    ],
    ['headings below the third', '<h4>a</h4><h6>b</h6>', '<h3>a</h3><h3>b</h3>'],
    ['a box of text', '<div>a <b>b</b></div>', '<p>a <strong>b</strong></p>'],
    ['a box of blocks', '<section><div><p>a</p></div><p>b</p></section>', '<p>a</p><p>b</p>'],
    ['an empty box', '<p>a</p><div><span> </span></div>', '<p>a</p> '.trim()],
    ['a table', '<table><tr><th>a</th><td>b</td></tr></table>', '<p>a</p><p>b</p>'],
    [
      'alignment in a style',
      '<p style="color:red; text-align: Center">a</p>',
      '<p class="align-center">a</p>',
    ],
    ['alignment in an attribute', '<h2 align=right>a</h2>', '<h2 class="align-right">a</h2>'],
    ['alignment of a box', '<div style="text-align:justify">a</div>', '<p class="align-justify">a</p>'],
    ['the usual alignment', '<p style="text-align:left">a</p>', '<p>a</p>'],
    [
      'foreign classes',
      '<p class="indent-3 fixed align-center align-right indent-9">a</p>',
      '<p class="align-center indent-3">a</p>',
    ],
    ['a link that leads nowhere', '<a href="javascript:alert(1)">a</a>', 'a'],
    [
      'a link with wishes of its own',
      '<a href="/news" rel="opener" target=_blank>a</a>',
      `<a href="/news" ${RELATIONS}>a</a>`,
    ],
    ['a link in a link', '<a href="/a">a<a href="/b">b</a></a>', `<a href="/a" ${RELATIONS}>ab</a>`],
    ['a picture from elsewhere', '<p>a<img src="https://example.org/a.png"></p>', '<p>a</p>'],
    [
      'a picture half measured',
      '<img src="/uploads/a/b.webp" width=5>',
      '<img src="/uploads/a/b.webp" alt="">',
    ],
    [
      'a picture measured in percent',
      '<img src="/uploads/a/b.webp" width="100%" height="5">',
      '<img src="/uploads/a/b.webp" alt="">',
    ],
    ['what nobody closed', '<p>a<p><b>b', '<p>a</p><p><strong>b</strong></p>'],
    ['line ends of forms', '<pre><code>a\r\nb</code></pre>', '<pre><code>a\nb</code></pre>'],
    ['characters that are none', 'a\u0000b\u0007c&#1;d\ud800', 'abcd\ufffd'],
    ['an empty list', '<ul></ul>', '<ul></ul>'],
  ])('%s', (_name, html, expected) => {
    expect(sanitiseArticleHtml(html)).toBe(expected);
  });

  const piece = fc.oneof(
    fc
      .constantFrom(
        ...[
          'div',
          'p',
          'b',
          'a',
          'a href=/x',
          'a href="https://e.example/?a&b"',
          'ul',
          'li',
          'pre',
          'code',
          'table',
          'tr',
          'td',
        ],
        ...[
          'svg',
          'math',
          'style',
          'script',
          'noscript',
          'template',
          'title',
          'textarea',
          'select',
          'option',
          'h1',
          'h5',
        ],
        ...[
          'span',
          'br',
          'hr',
          'img src=/uploads/a/b.webp',
          'img src=x',
          'p class="indent-2 align-right x"',
          'html',
          'body',
        ],
      )
      .chain((tag) => fc.constantFrom(`<${tag}>`, `</${tag.split(' ')[0]}>`, `<${tag}/>`)),
    fc.constantFrom(
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '<!',
      '<?',
      '<',
      '>',
      '"',
      "'",
      '&',
      '&lt;',
      '&amp;',
      '&nbsp;',
      '&#60;',
    ),
    fc.constantFrom(...xssContents.map(({ html }) => html)),
    fc.string({ unit: 'binary', maxLength: 8 }),
  );

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const once = sanitiseArticleHtml(pieces.join(''));
        expect(sanitiseArticleHtml(once)).toBe(once);
      }),
      { seed: 20_261_120, numRuns: 1_000 },
    );
  }, 30_000);

  /** Half a megabyte each: enough to tell what is quadratic. */
  const BOMBS: Record<string, string> = {
    'elements side by side': '<b>x</b>'.repeat(60_000),
    'boxes in boxes': '<div><p>x</p></div>'.repeat(25_000),
    'depth, closed by nothing': '<a>'.repeat(900) + '</x>'.repeat(120_000),
    ampersands: '&'.repeat(400_000),
    'angle brackets': '<'.repeat(400_000),
    attributes: `<p ${'a=1 '.repeat(120_000)}>x`,
    classes: `<p class="${'a '.repeat(250_000)}">x</p>`,
    pictures: '<img src=x>'.repeat(45_000),
    comments: '<!--'.repeat(120_000),
    'open quotes': '<p a="'.repeat(80_000),
  };

  it.each(Object.entries(BOMBS))(
    'ends in good time: %s',
    (_name, html) => {
      const began = performance.now();
      sanitiseArticleHtml(html);
      // A blink on a quiet machine; something quadratic would take minutes.
      expect(performance.now() - began).toBeLessThan(20 * SECOND);
    },
    30_000,
  );

  it.each(['<b>', '<p><i>', '<svg>', '<div>'])('refuses endless depth: %s', (tag) => {
    const began = performance.now();
    expect(() => sanitiseArticleHtml(tag.repeat(300_000))).toThrow('The content is nested too deeply.');
    expect(performance.now() - began).toBeLessThan(5 * SECOND);
  });

  it('keeps the text of what is nested deeper than anybody reads', () => {
    const html = sanitiseArticleHtml(`${'<blockquote>'.repeat(200)}deep${'</blockquote>'.repeat(200)}`);
    expect(html).toContain('deep');
    expect(html.split('<blockquote>').length).toBeLessThan(70);
  });
});

describe('what is computed of an article', () => {
  it('is its text in one line, with a space where a block ends', () => {
    expect(
      textOfArticle(
        '<h1>A</h1><p>B<strong>C</strong><br>D &amp; &lt;E&gt;&nbsp;F</p>\n<ul><li>G</li><li>H</li></ul>',
      ),
    ).toBe('A BC D & <E> F G H');
  });

  it.each([
    ['', 1],
    ['word '.repeat(200), 1],
    ['word '.repeat(201), 2],
    ['word '.repeat(1_000), 5],
  ])('read time counts 200 words a minute, rounded up, at least one (%#)', (text, minutes) => {
    expect(measureArticle(`<p>${text}</p>`).readTimeMinutes).toBe(minutes);
  });

  it('keeps 300 characters, none of them cut in half', () => {
    const { summary } = measureArticle(`<p>${'🃏'.repeat(400)}</p>`);
    expect(summary).toBe('🃏'.repeat(300));
  });

  it.each([
    '',
    '<p><br></p>',
    '<ul></ul>',
    '<p>&nbsp; \u200b\u2060</p>',
    '<p><img src="/uploads/a/b.webp" alt="words"></p>',
  ])('counts as blank: %s', (html) => {
    expect(measureArticle(html).blank).toBe(true);
  });
});
