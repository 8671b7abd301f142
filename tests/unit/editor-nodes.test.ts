import { LinkNode } from '@lexical/link';
import fc from 'fast-check';
import { $createTextNode, $getRoot, $insertNodes } from 'lexical';
import { expect, it } from 'vitest';
import { writeDocument } from '#shared/news/article-html/write-document';
import { $nodesOfDocument } from '~/components/editor/article-nodes';
import { $createImageNode, ImageNode } from '~/components/editor/images/image-node';
import { articles, untidyBlocks } from './arbitrary-articles';
import { inEditor } from './through-editor';
import { UPLOADED } from './uploaded-image';

it('the editor does not change an article', () => {
  fc.assert(
    fc.property(fc.oneof(articles, untidyBlocks), (blocks) => {
      expect(inEditor(() => $getRoot().append(...$nodesOfDocument(blocks)))).toBe(writeDocument(blocks));
    }),
    { numRuns: 300 },
  );
});

it('the HTML has uploaded images only, not pending ones', () => {
  const $change = () => {
    $getRoot().append(...$nodesOfDocument([{ kind: 'text', tag: 'p', align: 'left', indent: 0, runs: [] }]));
    $getRoot().selectEnd();
    $insertNodes([$createTextNode('a'), $createImageNode({ kind: 'upload', uploadId: 'one' }, 'A tin')]);
  };
  expect(inEditor($change)).toBe('<p>a</p>');
  const image = { src: UPLOADED, width: 4, height: 3 };
  expect(inEditor($change, (id) => (id === 'one' ? image : null))).toBe(
    `<p>a<img src="${UPLOADED}" alt="A tin" width="4" height="3"></p>`,
  );
});

it('clipboard data of another page is validated', () => {
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
      ImageNode.importJSON(node(UPLOADED)),
      new LinkNode('javascript:alert(1)').append($createTextNode('c')),
    );
    if (paragraph !== undefined) $getRoot().append(paragraph);
  });
  expect(html).toBe(`<p>a<img src="${UPLOADED}" alt="" width="1" height="1">c</p>`);
});
