import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isEmptyDocument, type Block } from '#shared/news/article-html/article-document';
import { readDocument } from '#shared/news/article-html/read-document';
import { writeDocument } from '#shared/news/article-html/write-document';
import { parseMarkup } from '#shared/news/article-html/markup';
import { articles } from './arbitrary-articles';
import { UPLOADED } from './uploaded-image';

const RELATIONS = 'rel="noopener noreferrer nofollow"';
const SITE = 'https://packwatch.example';

const read = (html: string, from: 'ours' | 'foreign' = 'ours') =>
  readDocument(parseMarkup(html), { from, siteOrigin: SITE });
const rewritten = (html: string) => writeDocument(read(html).blocks);
const pasted = (html: string) => writeDocument(read(html, 'foreign').blocks);

const clipboard = (name: string) =>
  readFileSync(new URL(`../fixtures/clipboard/${name}.html`, import.meta.url), 'utf8');

const FULL = [
  '<h1>One</h1>',
  '<h2 class="align-center">Two</h2>',
  '<h3>Three</h3>',
  '<p>Plain <strong>bold <em>both</em></strong> <u>under</u> <s>gone</s> <code>x = 1</code><br>next line</p>',
  '<p class="align-right indent-2">Moved &amp; &lt;aligned&gt;&nbsp;</p>',
  '<p><br></p>',
  `<p>A <a href="https://example.com/?a=1&amp;b=2" ${RELATIONS}>link <strong>in bold</strong></a>, <a href="mailto:a@b.example" ${RELATIONS}>mail</a>, <a href="/news" ${RELATIONS}>here</a></p>`,
  '<ul><li>One<ul><li>Two<ol><li>Three</li></ol></li></ul></li><li class="align-center">Four</li></ul>',
  '<ol><li>First</li><li>Second</li></ol>',
  '<blockquote class="align-justify">Said</blockquote>',
  '<blockquote><p>Said</p><ul><li>and listed</li></ul></blockquote>',
  '<pre><code>\n  if (a &lt; b) {\n\n  }</code></pre>',
  `<p><img src="${UPLOADED}" alt="A &quot;box&quot;" width="800" height="450"></p>`,
].join('\n');

describe('the HTML of an article', () => {
  it('is unchanged after it was read and written', () => {
    expect(rewritten(FULL)).toBe(FULL);
  });

  it('is unchanged for any article', () => {
    fc.assert(
      fc.property(articles, (blocks) => {
        const html = writeDocument(blocks);
        expect(rewritten(html)).toBe(html);
      }),
      { numRuns: 300 },
    );
  });

  it.each<[string, string, string]>([
    [
      'other names for marks',
      '<p><b>a</b><i>b</i><del>c</del><ins>d</ins></p>',
      '<p><strong>a</strong><em>b</em><s>c</s><u>d</u></p>',
    ],
    ['alignment in a style', '<p style="text-align: center">a</p>', '<p class="align-center">a</p>'],
    ['boxes', '<div>a</div><div><div>b</div><p>c</p></div>', '<p>a</p>\n<p>b</p>\n<p>c</p>'],
    ['loose text', 'a <b>b</b><p>c</p>d', '<p>a <strong>b</strong></p>\n<p>c</p>\n<p>d</p>'],
    ['deep headings', '<h4>a</h4><h6>b</h6>', '<h3>a</h3>\n<h3>b</h3>'],
    ['white space', '<p>\n  a\n  <b> b </b>\n c  </p>\n\n', '<p>a <strong>b </strong>c</p>'],
    [
      'a list directly in a list',
      '<ul><li>a</li><ul><li>b</li></ul></ul>',
      '<ul><li>a<ul><li>b</li></ul></li></ul>',
    ],
    [
      'text after a nested list',
      '<ul><li>a<ul><li>b</li></ul>c</li></ul>',
      '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>',
    ],
    ['paragraphs in an item', '<ol><li><p>a</p><p>b</p></li></ol>', '<ol><li>a<br>b</li></ol>'],
    [
      'lists that follow each other',
      '<ul><li>a</li></ul><ul><li>b</li></ul><ol><li>c</li></ol>',
      '<ul><li>a</li><li>b</li></ul>\n<ol><li>c</li></ol>',
    ],
    ['a quoted paragraph', '<blockquote><p>a</p></blockquote>', '<blockquote>a</blockquote>'],
    ['an indent that is too deep', '<p class="indent-9 indent-8">a</p>', '<p class="indent-8">a</p>'],
    [
      'our own images by their full address',
      `<img src="${SITE}${UPLOADED}" alt="x">`,
      `<p><img src="${UPLOADED}" alt="x"></p>`,
    ],
    [
      'empty paragraphs at both ends',
      '<p></p><p>a</p><p></p><p>b</p><p><br></p>',
      '<p>a</p>\n<p><br></p>\n<p>b</p>',
    ],
    ['a break at the end of a line', '<p>a<br></p>', '<p>a</p>'],
    ['Windows line ends in code', '<pre>a\r\nb\r\n</pre>', '<pre><code>a\nb</code></pre>'],
  ])('is normalised: %s', (_what, html, right) => {
    expect(rewritten(html)).toBe(right);
    expect(rewritten(right)).toBe(right);
  });

  it.each<[string, string, string]>([
    ['scripts and styles', '<p>a<script>alert(1)</script><style>p{}</style></p>', '<p>a</p>'],
    [
      'drawings and formulas',
      '<p>a<svg><script>1</script><text>b</text></svg><math><mi>x</mi></math></p>',
      '<p>a</p>',
    ],
    ['handlers', '<p onclick="x()"><b onmouseover=x()>a</b></p>', '<p><strong>a</strong></p>'],
    [
      'addresses that run scripts',
      '<a href="javascript:alert(1)">a</a><a href=" java&#10;script:x">b</a><a href="data:text/html,x">c</a>',
      '<p>abc</p>',
    ],
    [
      'addresses without a host',
      '<a href="//evil.example">a</a><a href="/\\evil.example">b</a><a href="https:evil">c</a>',
      '<p>abc</p>',
    ],
    [
      'external images',
      '<p>a<img src="https://x.example/a.png"><img src="/uploads/../a.png"><img src="data:image/png;base64,AA"></p>',
      '<p>a</p>',
    ],
    [
      'colours and fonts',
      '<p style="color:red"><font face="x"><span style="color:blue">a</span></font></p>',
      '<p>a</p>',
    ],
  ])('omits %s', (_what, html, right) => {
    expect(rewritten(html)).toBe(right);
    expect(pasted(html)).toBe(right);
  });

  it('is blank without visible content', () => {
    const empty = (html: string) => isEmptyDocument(read(html).blocks);
    expect(['', '<p><br></p>', '<ul><li> </li></ul>', '<p>&nbsp;</p>'].map(empty)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(['a', `<img src="${UPLOADED}" alt="">`, '<pre>x</pre>'].map(empty)).toEqual([false, false, false]);
  });
});

describe('pasted HTML', () => {
  it('from Word keeps headings, marks, links and lists, and no Word markup', () => {
    const { blocks, foreignImages } = read(clipboard('word'), 'foreign');
    expect(writeDocument(blocks)).toBe(
      [
        '<h1>Surging Sparks restock</h1>',
        `<p>Doors opened at <strong>nine</strong> and closed <em>four minutes</em> later. See <a href="https://www.example.com/queue?id=1&amp;b=2" ${RELATIONS}>the queue</a>.</p>`,
        '<ul><li>Elite Trainer Box<ul><li>one each</li></ul></li><li><strong>Booster bundle</strong></li></ul>',
        '<p>Then:</p>',
        '<ol><li>Sign in</li><li>Wait</li></ol>',
      ].join('\n'),
    );
    expect(foreignImages).toBe(1);
  });

  it('from Google Docs keeps the meaning of its styles', () => {
    const { blocks, foreignImages } = read(clipboard('google-docs'), 'foreign');
    expect(writeDocument(blocks)).toBe(
      [
        '<h2>What to bring</h2>',
        `<p class="align-center">A <strong>full</strong> binder, <em>please</em><s>, today</s> and <a href="https://docs.example.com/list" ${RELATIONS}>a list</a></p>`,
        '<ul><li>Sleeves<ul><li>clear ones</li></ul></li><li>A pen</li></ul>',
      ].join('\n'),
    );
    expect(foreignImages).toBe(1);
  });

  it('from a web page keeps its text', () => {
    const { blocks, foreignImages } = read(clipboard('web-page'), 'foreign');
    expect(writeDocument(blocks)).toBe(
      [
        '<h1>Waiting room opens</h1>',
        `<p>By <a href="/authors/sam" ${RELATIONS}>Sam</a></p>`,
        '<p>Some <strong>stores</strong> opened early.</p>',
        '<p>The queue at nine.</p>',
        '<p>Box £50</p>',
        '<p>Tin £20</p>',
        `<p>do not press <a href="https://example.com/a" ${RELATIONS}>press</a></p>`,
        '<pre><code>const a = 1;</code></pre>',
      ].join('\n'),
    );
    // Without the tracking pixel.
    expect(foreignImages).toBe(1);
  });

  it('from Word for the web merges its lists into one', () => {
    const item = (level: number, text: string) =>
      `<div class="ListContainerWrapper"><ul class="BulletListStyle1"><li data-aria-level="${level}"><p><span>${text}</span></p></li></ul></div>`;
    expect(pasted(item(1, 'a') + item(2, 'b') + item(2, 'c') + item(1, 'd'))).toBe(
      '<ul><li>a<ul><li>b</li><li>c</li></ul></li><li>d</li></ul>',
    );
  });

  it('from Word has no comments', () => {
    expect(pasted(clipboard('word-comment'))).toBe('<p>Boxes arrive on Friday.</p>');
  });

  it('from Google Docs is linked to the targets of its links', () => {
    expect(pasted(clipboard('google-link'))).toBe(
      `<p><a href="https://example.org/queue?a=1&amp;b=2" ${RELATIONS}>the queue</a></p>`,
    );
  });

  it('from a code editor is a code block', () => {
    expect(pasted(clipboard('code'))).toBe('<pre><code>const a = 1;\n  if (a) {\n\n}</code></pre>');
  });

  it.each<[string, string, string]>([
    [
      'the words that a comment of Word is about',
      `<p class=MsoNormal>Boxes <a style='mso-comment-reference:A_1'>arrive</a><span style='mso-special-character:comment'>&nbsp;<a class=msocomanchor href="#_msocom_1">[A1]</a></span> today</p><p class=MsoCommentText>Really?</p>`,
      '<p>Boxes arrive today</p>',
    ],
    [
      'notes of Word without their marks',
      `<p class=MsoNormal>Full<a style='mso-footnote-id:ftn1' href="#_ftn1" name="_ftnref1"><span class=MsoFootnoteReference>[1]</span></a><a href="file:///C:/a.htm#_edn1">[i]</a></p><div style='mso-element:footnote-list'><hr><div style='mso-element:footnote' id=ftn1><p class=MsoFootnoteText><a href="#_ftnref1" name="_ftn1">[1]</a> A note</p></div></div>`,
      '<p>Full</p>\n<p>A note</p>',
    ],
    [
      'tracked changes of Word as if they were accepted',
      `<p class=MsoNormal>At <del cite="mailto:A" datetime="2026-11-01T10:00">nine</del><span class=msoDel> or</span><ins cite="mailto:A" datetime="2026-11-01T10:00">ten <u>sharp</u></ins> <s>maybe</s></p>`,
      '<p>At ten <u>sharp</u> <s>maybe</s></p>',
    ],
    [
      'tracked changes of Word for the web',
      '<p>At <span class="TrackChangeTextDeletion TrackedChange">nine</span><span class="TrackChangeTextInsertion TrackedChange" style="text-decoration:underline">ten</span></p>',
      '<p>At ten</p>',
    ],
    [
      'suggestions, comments and notes of Google Docs',
      '<b style="font-weight:normal" id="docs-internal-guid-1"><p>At <del>nine</del><ins>ten</ins><sup><a href="#cmnt1" id="cmnt_ref1">[a]</a></sup><sup><a href="#ftnt1" id="ftnt_ref1">[1]</a></sup></p><p><a href="#ftnt_ref1" id="ftnt1">[1]</a> A note</p><div><p><a href="#cmnt_ref1" id="cmnt1">[a]</a><span>Private</span></p><p>More</p></div></b>',
      '<p>At ten</p>\n<p>A note</p>',
    ],
    ['struck prices of a web page', '<p><del>£50</del> <ins>£40</ins></p>', '<p><s>£50</s> <u>£40</u></p>'],
    [
      'lines of code that are separate blocks',
      '<p>a</p><div style="white-space: pre; font-family: Menlo">x =&nbsp;1</div><div style="white-space:pre">  y</div><p>b</p>',
      '<p>a</p>\n<pre><code>x = 1\n  y</code></pre>\n<p>b</p>',
    ],
    [
      'a paragraph of code that may wrap',
      '<p style="font-family: Consolas, monospace; white-space: pre-wrap">a\n  b</p>',
      '<pre><code>a\n  b</code></pre>',
    ],
    [
      'text that only keeps its spaces',
      '<p style="white-space: pre-wrap">a  b</p><div style="white-space:pre"><ul><li>c</li></ul><p>d</p></div>',
      '<p>a b</p>\n<ul><li>c</li></ul>\n<p>d</p>',
    ],
    [
      'a link whose text is a wrapper',
      '<p><a href="https://l.facebook.com/l.php?u=https%3A%2F%2Fexample.org%2Fa&amp;h=x">https://l.facebook.com/l.php?u=https%3A%2F%2Fexample.org%2Fa&amp;h=x</a></p>',
      `<p><a href="https://example.org/a" ${RELATIONS}>https://example.org/a</a></p>`,
    ],
  ])('has %s', (_what, html, right) => {
    expect(pasted(html)).toBe(right);
    expect(rewritten(right)).toBe(right);
  });

  it('from Word may start a list at any depth, with minimal nesting', () => {
    const item = (level: number, text: string) =>
      `<p style='mso-list:l0 level${level} lfo1'><span style='mso-list:Ignore'>§</span>${text}</p>`;
    expect(pasted(item(3, 'a') + item(3, 'b') + item(1, 'c') + item(4, 'd') + item(4, 'e'))).toBe(
      '<ul><li>a</li><li>b</li></ul>'.replace('</ul>', '') + '<li>c<ul><li>d</li><li>e</li></ul></li></ul>',
    );
  });
});

describe('an article without content', () => {
  it('is written as an empty string', () => {
    const blank: Block = { kind: 'text', tag: 'p', align: 'left', indent: 0, runs: [] };
    expect(writeDocument([blank, blank])).toBe('');
  });
});
