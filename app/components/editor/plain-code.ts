import { $isCodeNode, CodeNode } from '@lexical/code';
import {
  $createParagraphNode,
  $isElementNode,
  $isTextNode,
  mergeRegister,
  TextNode,
  type LexicalEditor,
  type LexicalNode,
} from 'lexical';
import { $isImageNode } from './images/image-node';

/** Reduces a code block to text: removes marks, links and alignment, and moves images behind the block. */
export function $makePlain(code: CodeNode): void {
  if (code.getFormatType() !== '') code.setFormat('');
  const images: LexicalNode[] = [];
  const visit = (node: LexicalNode): void => {
    if ($isTextNode(node)) $unmark(node);
    else if ($isImageNode(node)) images.push(node);
    else if ($isElementNode(node)) {
      for (const child of node.getChildren()) {
        visit(child);
        node.insertBefore(child);
      }
      node.remove();
    }
  };
  for (const child of code.getChildren()) visit(child);
  if (images.length > 0) code.insertAfter($createParagraphNode().splice(0, 0, images));
}

function $unmark(text: TextNode): void {
  if (text.getFormat() !== 0) text.setFormat(0);
}

/** Keeps code blocks plain after any change, so that the editor shows nothing that cannot be saved. */
export function registerPlainCode(editor: LexicalEditor): () => void {
  return mergeRegister(
    editor.registerNodeTransform(CodeNode, $makePlain),
    editor.registerNodeTransform(TextNode, (text) => {
      if ($isCodeNode(text.getParent())) $unmark(text);
    }),
  );
}
