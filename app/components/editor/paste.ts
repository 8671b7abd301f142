import { $insertGeneratedNodes } from '@lexical/clipboard';
import { $isCodeNode } from '@lexical/code';
import { $toggleLink } from '@lexical/link';
import {
  $createParagraphNode,
  $findMatchingParent,
  $getSelection,
  $insertNodes,
  $isRangeSelection,
  $isSelectionCapturedInDecoratorInput,
  COMMAND_PRIORITY_HIGH,
  isDOMNode,
  PASTE_COMMAND,
  PASTE_TAG,
  $addUpdateTag,
  type LexicalEditor,
} from 'lexical';
import { allowedHref, linkText } from '#shared/news/article-html/article-links';
import { parseMarkup } from '#shared/news/article-html/markup';
import { readDocument } from '#shared/news/article-html/read-document';
import { $nodesOfDocument, $nodesOfLines, $nodesOfRuns } from './article-nodes';

const FOREIGN_IMAGES =
  'Images from other sites are not copied. Save them to your device, then add them as files.';

interface PasteOptions {
  /** Called with a sentence about content that was left out, or null. */
  onNotice: (notice: string | null) => void;
  onFiles: (files: File[]) => void;
}

/** Handles paste: reduces HTML from Word, Google Docs and web pages to what articles can contain. */
export function registerPaste(editor: LexicalEditor, { onNotice, onFiles }: PasteOptions): () => void {
  return editor.registerCommand(
    PASTE_COMMAND,
    (event) => {
      if (!(event instanceof ClipboardEvent) || event.clipboardData === null) return false;
      if (isDOMNode(event.target) && $isSelectionCapturedInDecoratorInput(event.target)) return false;
      const data = event.clipboardData;
      // Copied from this editor: Lexical inserts its own nodes.
      if (data.getData('application/x-lexical-editor') !== '') return false;
      const [html, text, files] = [data.getData('text/html'), data.getData('text/plain'), [...data.files]];

      const markup = html === '' ? [] : parseMarkup(html);
      const { blocks, foreignImages } = readDocument(markup, {
        from: 'foreign',
        siteOrigin: location.origin,
      });
      // A copied image comes with an <img> that refers to its source.
      if (files.length > 0 && blocks.length === 0 && text.trim() === '') {
        event.preventDefault();
        onFiles(files);
        return true;
      }
      const selection = $getSelection();
      if (selection === null) return false;
      event.preventDefault();
      $addUpdateTag(PASTE_TAG);

      const inCode =
        $isRangeSelection(selection) && $findMatchingParent(selection.anchor.getNode(), $isCodeNode);
      if (inCode) {
        selection.insertNodes($nodesOfLines(text.replaceAll('\r\n', '\n')));
        return true;
      }
      onNotice(foreignImages > 0 ? FOREIGN_IMAGES : null);
      const [only] = blocks;
      if (blocks.length === 1 && only?.kind === 'text' && only.tag === 'p')
        $insertNodes($nodesOfRuns(only.runs));
      else if (blocks.length > 0) $insertGeneratedNodes(editor, $nodesOfDocument(blocks), selection);
      else if (html === '') $insertText(text);
      return true;
    },
    COMMAND_PRIORITY_HIGH,
  );
}

/** Blank lines separate paragraphs, other line feeds are breaks. A URL pasted over selected text links it. */
function $insertText(pasted: string): void {
  const text = linkText(pasted.replaceAll('\r\n', '\n'));
  const selection = $getSelection();
  const href = /^\S+$/.test(text.trim()) ? allowedHref(text.trim()) : null;
  if (href !== null && !href.startsWith('/') && $isRangeSelection(selection) && !selection.isCollapsed()) {
    $toggleLink(href);
    return;
  }
  const paragraphs = text.split(/\n[ \t]*(?:\n[ \t]*)+/).filter((paragraph) => paragraph.trim() !== '');
  const [only] = paragraphs;
  if (paragraphs.length === 1 && only !== undefined) {
    $insertNodes($nodesOfLines(only.replace(/\n$/, '')));
    return;
  }
  $insertNodes(paragraphs.map((paragraph) => $createParagraphNode().append(...$nodesOfLines(paragraph))));
}
