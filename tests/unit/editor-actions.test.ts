import type { CodeNode } from '@lexical/code';
import { registerList } from '@lexical/list';
import { registerRichText } from '@lexical/rich-text';
import {
  $createNodeSelection,
  $getRoot,
  $isElementNode,
  $selectAll,
  $setSelection,
  type ElementNode,
  type LexicalEditor,
  type TextNode,
} from 'lexical';
import { afterEach, expect, it } from 'vitest';
import { parseMarkup } from '#shared/news/article-html/markup';
import { readDocument } from '#shared/news/article-html/read-document';
import { writeDocument } from '#shared/news/article-html/write-document';
import { $nodesOfDocument, $readDocument } from '~/components/editor/article-nodes';
import { setAlign, toggleBlock, toggleFormat } from '~/components/editor/editor-actions';
import { $isImageNode } from '~/components/editor/images/image-node';
import { registerPlainCode } from '~/components/editor/plain-code';
import { createArticleEditor } from './through-editor';
import { UPLOADED } from './uploaded-image';

const IMAGE = `<img src="${UPLOADED}" alt="A tin">`;

let stop: () => void = () => undefined;
afterEach(() => stop());

/** An editor with this content, all of it selected. */
function editorWith(html: string): LexicalEditor {
  const editor = createArticleEditor();
  const registered = [registerRichText(editor), registerList(editor), registerPlainCode(editor)];
  stop = () => registered.forEach((unregister) => unregister());
  editor.update(
    () => {
      const { blocks } = readDocument(parseMarkup(html), { from: 'ours', siteOrigin: null });
      $getRoot().append(...$nodesOfDocument(blocks));
      $selectAll();
    },
    { discrete: true },
  );
  return editor;
}

const htmlOf = (editor: LexicalEditor) => editor.read(() => writeDocument($readDocument(() => null)));

it.each([
  [
    'text around an image',
    `<p>a <strong>b</strong></p><p>c${IMAGE}d</p><p>e</p>`,
    `<pre><code>a b\ncd\ne</code></pre>\n<p>${IMAGE}</p>`,
  ],
  ['a linked image', `<p>a <a href="/b">b${IMAGE}</a></p>`, `<pre><code>a b</code></pre>\n<p>${IMAGE}</p>`],
  ['a list', '<ul><li>a</li><li>b</li></ul>', '<pre><code>a\nb</code></pre>'],
  [
    'a list with an image',
    `<ul><li>a</li><li>${IMAGE}</li></ul>`,
    `<pre><code>a</code></pre>\n<p>${IMAGE}</p>`,
  ],
  ['a line and code', '<p>a</p><pre><code>b\nc</code></pre>', '<pre><code>a\nb\nc</code></pre>'],
  ['an image without text', `<p>${IMAGE}</p>`, `<p>${IMAGE}</p>`],
])('a code block is created without losing content: %s', (_what, before, after) => {
  const editor = editorWith(before);
  toggleBlock(editor, 'code');
  expect(htmlOf(editor)).toBe(after);
});

it('an image that is selected alone is unchanged', () => {
  const editor = editorWith(`<p>${IMAGE}</p><p>a</p>`);
  editor.update(
    () => {
      const picture = $getRoot().getAllTextNodes()[0]?.getTopLevelElementOrThrow().getPreviousSibling();
      const selection = $createNodeSelection();
      const image = $isElementNode(picture) ? picture.getFirstChild() : null;
      if ($isImageNode(image)) selection.add(image.getKey());
      $setSelection(selection);
    },
    { discrete: true },
  );
  toggleBlock(editor, 'code');
  expect(htmlOf(editor)).toBe(`<p>${IMAGE}</p>\n<p>a</p>`);
});

it('marks and alignment of a selection are not applied to its code blocks', () => {
  const editor = editorWith('<p>a</p><pre><code>b</code></pre><p>c</p>');
  toggleFormat(editor, 'bold');
  setAlign(editor, 'right');
  const right = '<p class="align-right"><strong>';
  expect(htmlOf(editor)).toBe(`${right}a</strong></p>\n<pre><code>b</code></pre>\n${right}c</strong></p>`);
  editor.read(() => {
    const code = $getRoot().getChildAtIndex<CodeNode>(1);
    expect(code?.getFormatType()).toBe('');
    expect(code?.getFirstChild<TextNode>()?.getFormat()).toBe(0);
  });
});

it('lists and quotations have no alignment, which would apply to unselected parts too', () => {
  const html =
    '<ul><li>a</li><li>b</li></ul>\n<blockquote><p>c</p><p>d</p></blockquote>\n<ol><li>e</li><li>f</li></ol>';
  const editor = editorWith(html);
  setAlign(editor, 'center');
  editor.read(() => {
    for (const block of $getRoot().getChildren<ElementNode>()) expect(block.getFormatType()).toBe('');
  });
  expect(htmlOf(editor)).toBe(html.replaceAll(/<(li|p)>/g, '<$1 class="align-center">'));
});

it('content that is inserted into a code block becomes plain text', () => {
  const editor = editorWith('<pre><code>a</code></pre>');
  editor.update(
    () => {
      const code = $getRoot().getFirstChildOrThrow<CodeNode>();
      code.selectEnd();
      const { blocks } = readDocument(parseMarkup(`<p><b>b</b><a href="/c">c${IMAGE}</a>d</p>`), {
        from: 'ours',
        siteOrigin: null,
      });
      for (const block of $nodesOfDocument(blocks)) code.append(...block.getChildren());
    },
    { discrete: true },
  );
  expect(htmlOf(editor)).toBe(`<pre><code>abcd</code></pre>\n<p>${IMAGE}</p>`);
});
