import { CodeNode } from '@lexical/code';
import { LinkNode } from '@lexical/link';
import { ListItemNode, ListNode } from '@lexical/list';
import { HeadingNode, QuoteNode } from '@lexical/rich-text';
import fc from 'fast-check';
import { $createTextNode, $getRoot, $insertNodes, createEditor } from 'lexical';
import { expect, it } from 'vitest';
import type { Block } from '~/components/editor/article-document';
import { $nodesOfDocument } from '~/components/editor/document-to-nodes';
import { $createImageNode, ImageNode } from '~/components/editor/image-node';
import { $readDocument } from '~/components/editor/nodes-to-document';
import { writeDocument } from '~/components/editor/write-document';
import { articles } from './arbitrary-articles';

/** What the editor makes of nodes; nothing is drawn. */
function inEditor(
  $change: () => void,
  findUploaded: Parameters<typeof $readDocument>[0] = () => null,
): string {
  let blocks: Block[] = [];
  const editor = createEditor({
    nodes: [HeadingNode, QuoteNode, ListNode, ListItemNode, LinkNode, CodeNode, ImageNode],
    onError: (error) => {
      throw error;
    },
  });
  editor.update(
    () => {
      $change();
      blocks = $readDocument(findUploaded);
    },
    { discrete: true },
  );
  return writeDocument(blocks);
}

it('an article goes through the editor unchanged', () => {
  fc.assert(
    fc.property(articles, (blocks) => {
      expect(inEditor(() => $getRoot().append(...$nodesOfDocument(blocks)))).toBe(writeDocument(blocks));
    }),
    { numRuns: 300 },
  );
});

it('a picture that is on its way is not in the HTML, one that arrived is', () => {
  const $change = () => {
    $getRoot().append(...$nodesOfDocument([{ kind: 'text', tag: 'p', align: 'left', indent: 0, runs: [] }]));
    $getRoot().selectEnd();
    $insertNodes([$createTextNode('a'), $createImageNode({ kind: 'upload', uploadId: 'one' }, 'A tin')]);
  };
  expect(inEditor($change)).toBe('<p>a</p>');
  const image = { src: '/uploads/a/b.webp', width: 4, height: 3 };
  expect(inEditor($change, (id) => (id === 'one' ? image : null))).toBe(
    '<p>a<img src="/uploads/a/b.webp" alt="A tin" width="4" height="3"></p>',
  );
});

it('what another page put on the clipboard as ours is checked', () => {
  const node = (src: string) =>
    ({
      type: 'article-image',
      version: 1,
      source: { kind: 'stored', src, width: 1, height: 1 },
      alt: '',
    }) as const;
  const html = inEditor(() => {
    const [paragraph] = $nodesOfDocument([{ kind: 'text', tag: 'p', align: 'left', indent: 0, runs: [] }]);
    paragraph?.append($createTextNode('a'), ImageNode.importJSON(node('https://evil.example/x.png')));
    paragraph?.append(
      ImageNode.importJSON(node('/uploads/a/b.png')),
      new LinkNode('javascript:alert(1)').append($createTextNode('c')),
    );
    if (paragraph !== undefined) $getRoot().append(paragraph);
  });
  expect(html).toBe('<p>a<img src="/uploads/a/b.png" alt="" width="1" height="1">c</p>');
});
