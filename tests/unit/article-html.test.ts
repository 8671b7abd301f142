import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SECOND } from '#shared/clock';
import { prepareArticleHtml } from '#shared/news/article-html.server';
import { HTML_VERSION } from '#shared/news/article-html/article-format';
import { sanitisedContent } from '#shared/news/article-rows';
import { documentText } from '#shared/news/article-html/article-document';
import { parseMarkup } from '#shared/news/article-html/markup';
import { readDocument } from '#shared/news/article-html/read-document';
import { writeDocument } from '#shared/news/article-html/write-document';
import { countWords, readMinutes } from '#shared/news/article-text';
import { fullToolbarHtml, xssContents } from '../xss-corpus';
import { cpuTimeOfCall } from '../cpu-time';
import { articles, untidyBlocks } from './arbitrary-articles';
import { throughEditor } from './through-editor';
import { UPLOADED } from './uploaded-image';

const sanitiseArticleHtml = (html: string) => prepareArticleHtml(html).content;

const RELATIONS = 'rel="noopener noreferrer nofollow"';

describe('sanitising an article', () => {
  it('keeps everything that the toolbar makes, byte for byte', () => {
    expect(sanitiseArticleHtml(fullToolbarHtml)).toBe(fullToolbarHtml);
  });

  it.each([
    [
      'equivalent elements',
      '<b>a</b><i>b</i><del>c</del><strike>d</strike><ins>e</ins><kbd>f</kbd><cite>g</cite>',
      '<p><strong>a</strong><em>b</em><s>cd</s><u>e</u><code>f</code><em>g</em></p>',
    ],
    ['headings below the third', '<h4>a</h4><h6>b</h6>', '<h3>a</h3>\n<h3>b</h3>'],
    ['a div with text', '<div>a <b>b</b></div>', '<p>a <strong>b</strong></p>'],
    ['a div with blocks', '<section><div><p>a</p></div><p>b</p></section>', '<p>a</p>\n<p>b</p>'],
    ['an empty div', '<p>a</p><div><span> </span></div>', '<p>a</p>'],
    ['a table', '<table><tr><th>a</th><td>b</td></tr><tr><td>c</td></tr></table>', '<p>a b</p>\n<p>c</p>'],
    ['the text of a form', '<button>a</button><select><option>b</select>c', '<p>c</p>'],
    ['hidden elements', '<dialog>a</dialog><p hidden>b</p><p style="display:none">c</p>d', '<p>d</p>'],
    [
      'alignment in a style',
      '<p style="color:red; text-align: Center">a</p>',
      '<p class="align-center">a</p>',
    ],
    ['alignment at the end', '<p style="text-align:end">a</p>', '<p class="align-right">a</p>'],
    ['alignment in an attribute', '<h2 align=right>a</h2>', '<h2 class="align-right">a</h2>'],
    ['alignment of a div', '<div style="text-align:justify">a</div>', '<p class="align-justify">a</p>'],
    ['the default alignment', '<p style="text-align:left">a</p>', '<p>a</p>'],
    [
      'unknown classes',
      '<p class="indent-3 fixed align-center align-right indent-9">a</p>',
      '<p class="align-center indent-3">a</p>',
    ],
    [
      'classes where the editor writes none',
      '<ul class="align-center indent-1"><li class="indent-2">a</li></ul><pre class="align-right">b</pre>',
      '<ul><li>a</li></ul>\n<pre><code>b</code></pre>',
    ],
    [
      'marks, links and images in code',
      `<pre><code><b>a</b> <a href="/b">b</a><img src="${UPLOADED}"><br>c</code></pre>`,
      '<pre><code>a b\nc</code></pre>',
    ],
    [
      'a line feed directly after pre',
      '<pre>\na</pre><pre>\n\nb</pre>',
      '<pre><code>a</code></pre>\n<pre><code>\nb</code></pre>',
    ],
    ['line feeds at the end of code', '<pre>a\n\n\n</pre>', '<pre><code>a</code></pre>'],
    ['empty code', '<pre> \n </pre>', ''],
    [
      'a list directly in a list',
      '<ul><li>a</li><ul><li>b</li></ul></ul>',
      '<ul><li>a<ul><li>b</li></ul></li></ul>',
    ],
    [
      'paragraphs in an item',
      '<ul><li><p>a</p><p>b</p><ul><li>c</li></ul>d</li></ul>',
      '<ul><li>a<br>b<ul><li>c</li></ul></li><li>d</li></ul>',
    ],
    [
      'a quotation in a quotation',
      '<blockquote>a<blockquote>b</blockquote></blockquote>',
      '<blockquote><p>a</p><p>b</p></blockquote>',
    ],
    ['invisible white space', ' <p>\n a\tb </p>\n\n<p>c</p> ', '<p>a b</p>\n<p>c</p>'],
    [
      'a heading without text',
      '<p>a</p><h2 class="indent-1"></h2><p>b</p>',
      '<p>a</p>\n<p><br></p>\n<p>b</p>',
    ],
    ['a tag named like a property of Object.prototype', '<constructor>a</constructor>', '<p>a</p>'],
    ['a link without an address', '<a href="javascript:alert(1)">a</a>', '<p>a</p>'],
    [
      'links with invalid addresses',
      '<a href="https://[bad">a</a><a href="https://exa%mple/">b</a>',
      '<p>ab</p>',
    ],
    [
      'a link with its own rel and target',
      '<a href="/news" rel="opener" target=_blank>a</a>',
      `<p><a href="/news" ${RELATIONS}>a</a></p>`,
    ],
    [
      'spaces in an address',
      '<a href=" https://x.example/a b&quot;">a</a>',
      `<p><a href="https://x.example/a%20b%22" ${RELATIONS}>a</a></p>`,
    ],
    [
      'a link in a link, as browsers read it',
      '<a href="/a">a<a href="/b">b</a></a>',
      `<p><a href="/a" ${RELATIONS}>a</a><a href="/b" ${RELATIONS}>b</a></p>`,
    ],
    ['an external image', '<p>a<img src="https://example.org/a.png"></p>', '<p>a</p>'],
    [
      'files that are not served, or are not images',
      [
        UPLOADED.replace('webp', 'html'),
        UPLOADED.replace('webp', 'mp4'),
        '/uploads/x/y.webp',
        `${UPLOADED}?a`,
      ]
        .map((src) => `<img src="${src}">`)
        .join('a'),
      '<p>aaa</p>',
    ],
    [
      'an image with a width only',
      `<img src="${UPLOADED}" width=5>`,
      `<p><img src="${UPLOADED}" alt=""></p>`,
    ],
    [
      'an image sized in percent',
      `<img src="${UPLOADED}" width="100%" height="5">`,
      `<p><img src="${UPLOADED}" alt=""></p>`,
    ],
    ['unclosed elements', '<p>a<p><b>b', '<p>a</p>\n<p><strong>b</strong></p>'],
    ['line ends of forms', '<pre><code>a\r\nb&#13;c</code></pre>', '<pre><code>a\nb\nc</code></pre>'],
    ['invalid characters', 'a\u0000b\u0007c&#1;d\ud800', '<p>abcd\ufffd</p>'],
    ['an empty list', '<ul></ul>', ''],
  ])('%s', (_name, html, expected) => {
    expect(sanitiseArticleHtml(html)).toBe(expected);
  });

  const ADDRESS_PARTS = [
    ...[
      'http:',
      'HTTPS:',
      'mailto:',
      'javascript:',
      '/',
      '//',
      '\\',
      ':',
      '@',
      '?',
      '#',
      '.',
      'a',
      '[',
      '%',
      '%2F',
    ],
    ...[
      ' ',
      '\u00a0',
      '\t',
      '\n',
      '\u200b',
      '&#1;',
      '&quot;',
      '&lt;!--',
      '--&gt;',
      '`',
      '&amp;',
      '&amp;amp;',
    ],
  ];
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
          `img src=${UPLOADED}`,
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
    fc
      .array(fc.constantFrom(...ADDRESS_PARTS), { maxLength: 6 })
      .map((parts) => `<a href="${parts.join('')}">x</a>`),
    fc.string({ unit: 'binary', maxLength: 8 }),
  );

  const markup = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
  const RUNS = { seed: 20_261_120, numRuns: 200 };

  it('is idempotent', () => {
    fc.assert(
      fc.property(markup, (html) => {
        const once = sanitiseArticleHtml(html);
        expect(sanitiseArticleHtml(once)).toBe(once);
      }),
      RUNS,
    );
  }, 30_000);

  it('gives HTML that the editor opens and saves unchanged', () => {
    fc.assert(
      fc.property(markup, (html) => {
        const sanitised = sanitiseArticleHtml(html);
        expect(throughEditor(sanitised)).toBe(sanitised);
      }),
      RUNS,
    );
  }, 30_000);

  it('gives the same HTML for any markup as the editor, before or after it', () => {
    fc.assert(
      fc.property(markup, (html) => {
        const sanitised = sanitiseArticleHtml(html);
        expect(throughEditor(html)).toBe(sanitised);
        expect(sanitiseArticleHtml(throughEditor(html))).toBe(sanitised);
      }),
      RUNS,
    );
  }, 30_000);

  it('keeps what the editor wrote after a paste', () => {
    fc.assert(
      fc.property(markup, (html) => {
        const { blocks } = readDocument(parseMarkup(html), { from: 'foreign', siteOrigin: null });
        const written = writeDocument(blocks);
        expect(sanitiseArticleHtml(written)).toBe(written);
      }),
      RUNS,
    );
  }, 30_000);

  it('keeps whatever the editor writes, also unfinished documents', () => {
    fc.assert(
      fc.property(fc.oneof(articles, untidyBlocks), (blocks) => {
        const written = writeDocument(blocks);
        expect(sanitiseArticleHtml(written)).toBe(written);
      }),
      RUNS,
    );
  }, 30_000);

  /** A quarter of a megabyte each: enough to detect quadratic time. */
  const BOMBS: Record<string, string> = {
    'elements side by side': '<b>x</b>'.repeat(30_000),
    'nested divs': '<div><p>x</p></div>'.repeat(12_500),
    'unclosed nesting': '<a>'.repeat(900) + '</x>'.repeat(60_000),
    ampersands: '&'.repeat(200_000),
    'angle brackets': '<'.repeat(200_000),
    attributes: `<p ${'a=1 '.repeat(60_000)}>x`,
    classes: `<p class="${'a '.repeat(125_000)}">x</p>`,
    images: '<img src=x>'.repeat(22_500),
    comments: '<!--'.repeat(60_000),
    'open quotes': '<p a="'.repeat(40_000),
    'lists side by side': '<ul><li>x</ul>'.repeat(17_500),
    'items in a list': `<ul>${'<li>x'.repeat(50_000)}`,
    'blocks in nested divs': '<div>'.repeat(900) + '<p>x'.repeat(55_000),
    'blocks in deep quotations': '<blockquote>'.repeat(900) + '<p>x'.repeat(55_000),
    'lists in lists': '<ul><li>'.repeat(450) + 'x<br>'.repeat(45_000),
    'quotations in items': '<li><blockquote>'.repeat(450) + 'x<br>'.repeat(45_000),
    'line feeds in code': `<pre>${'\n'.repeat(200_000)}x</pre>`,
    spaces: `<p>${' '.repeat(200_000)}x</p>`,
    'an address': `<a href="${' \u0001'.repeat(100_000)}">x</a>`,
  };

  it.each(Object.entries(BOMBS))('takes linear time: %s', (_name, html) => {
    // A fraction of a second; quadratic time would take half a minute and more.
    expect(cpuTimeOfCall(() => sanitiseArticleHtml(html))).toBeLessThan(10 * SECOND);
  });

  it.each(['<b>', '<p><i>', '<svg>', '<div>'])('refuses unlimited nesting: %s', (tag) => {
    const refuse = () =>
      expect(() => sanitiseArticleHtml(tag.repeat(300_000))).toThrow('The content is nested too deeply.');
    expect(cpuTimeOfCall(refuse)).toBeLessThan(5 * SECOND);
  });

  it('keeps the text of elements below the maximum depth', () => {
    const quoted = sanitiseArticleHtml(`${'<blockquote>'.repeat(900)}deep${'</blockquote>'.repeat(900)}`);
    expect(quoted).toBe('<blockquote>deep</blockquote>');
    const listed = sanitiseArticleHtml(`${'<ul><li>a'.repeat(450)}deep`);
    expect(listed).toMatch(/^(<ul><li>a){9}(<\/li><li>a){441}deep(<\/li><\/ul>){9}$/);
  });
});

describe('the derived fields of an article', () => {
  it('match the counts of the editor', () => {
    fc.assert(
      fc.property(articles, (blocks) => {
        const { readTimeMinutes } = prepareArticleHtml(writeDocument(blocks));
        expect(readTimeMinutes).toBe(readMinutes(countWords(documentText(blocks))));
      }),
      { seed: 20_261_120, numRuns: 150 },
    );
  });

  it('include a summary in one line of plain text', () => {
    expect(
      prepareArticleHtml(
        '<h1>A!</h1><p>B<strong>C</strong><br>D &amp; &lt;E&gt;&nbsp;F.</p>\n<ul><li>G</li></ul>',
      ).summary,
    ).toBe('A! BC D & <E> F. G');
  });

  it.each([
    ['', 1],
    ['word '.repeat(200), 1],
    ['word '.repeat(201), 2],
    ['word '.repeat(1_000), 5],
  ])('include a read time of 200 words a minute, rounded up, at least one (%#)', (text, minutes) => {
    expect(prepareArticleHtml(`<p>${text}</p>`).readTimeMinutes).toBe(minutes);
  });

  it('separate headings, paragraphs and list items in the summary', () => {
    // It used to be 'The parcel is waiting. The day before Sign in to the shop Pen Binder'.
    const html =
      '<p>The parcel is waiting.</p><h2>The day before</h2><p>Sign in to<br>the shop</p><p><br></p><p>\u200b</p>' +
      '<ul><li>Pen<ul><li>Binder</li></ul></li></ul><blockquote><p>Said</p><p>twice</p></blockquote>';
    expect(prepareArticleHtml(html).summary).toBe(
      'The parcel is waiting. The day before · Sign in to the shop · Pen · Binder · Said · twice',
    );
  });

  it('limit the summary to 300 whole characters', () => {
    const { summary } = prepareArticleHtml(`<p>${'🃏'.repeat(400)}</p>`);
    expect(summary).toBe('🃏'.repeat(300));
  });

  it.each([
    '',
    '<p><br></p>',
    '<ul></ul>',
    '<p>&nbsp; \u200b\u2060</p>',
    `<p><img src="${UPLOADED}" alt="words"></p>`,
  ])('treat as blank: %s', (html) => {
    expect(prepareArticleHtml(html).blank).toBe(true);
  });
});

describe('stored content', () => {
  const content = '<p onclick="x()">a</p><script>x</script>';

  it('is read unchanged when the current sanitiser version wrote it', async () => {
    expect(await sanitisedContent({ content, html_version: HTML_VERSION })).toBe(content);
  });

  it('is sanitised when another version wrote it, or an unknown one', async () => {
    expect(await sanitisedContent({ content, html_version: 0 })).toBe('<p>a</p>');
  });
});
