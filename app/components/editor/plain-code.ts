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
import { $isImageNode } from './image-node';

/** Makes a code block what articles can hold, text alone: marks, links and alignment go, pictures follow the block. */
export function $makePlain(code: CodeNode): void {
  if (code.getFormatType() !== '') code.setFormat('');
  const pictures: LexicalNode[] = [];
  const visit = (node: LexicalNode): void => {
    if ($isTextNode(node)) $unmark(node);
    else if ($isImageNode(node)) pictures.push(node);
    else if ($isElementNode(node)) {
      for (const child of node.getChildren()) {
        visit(child);
        node.insertBefore(child);
      }
      node.remove();
    }
  };
  for (const child of code.getChildren()) visit(child);
  if (pictures.length > 0) code.insertAfter($createParagraphNode().append(...pictures));
}

function $unmark(text: TextNode): void {
  if (text.getFormat() !== 0) text.setFormat(0);
}

/** Whatever is put into code blocks, by keys, buttons or from a clipboard: what could not be saved is not shown. */
export function registerPlainCode(editor: LexicalEditor): () => void {
  return mergeRegister(
    editor.registerNodeTransform(CodeNode, $makePlain),
    editor.registerNodeTransform(TextNode, (text) => {
      if ($isCodeNode(text.getParent())) $unmark(text);
    }),
  );
}
