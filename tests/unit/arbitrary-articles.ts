import fc from 'fast-check';
import {
  normaliseBlocks,
  normaliseRuns,
  type Block,
  type ListBlock,
  type Run,
} from '#shared/news/article-html/article-document';
import { MARKS, TEXT_TAGS, type Align } from '#shared/news/article-html/article-format';
import { UPLOADED } from './uploaded-image';

const words = fc.string({
  unit: fc.constantFrom('a', 'b', ' ', '&', '<', '>', '"', "'", '\u00a0', 'é', '😀'),
  maxLength: 8,
});
const href = fc.constantFrom(null, null, 'https://a.example/?x=1&y=%222%22', '/news', 'mailto:a@b.example');

const run: fc.Arbitrary<Run> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('text' as const),
      text: words,
      marks: fc.subarray([...MARKS]),
      href,
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'break' as const }) },
  {
    weight: 1,
    arbitrary: fc
      .record({
        kind: fc.constant('image' as const),
        src: fc.constant(UPLOADED),
        alt: fc.constantFrom('', 'A "box" & more'),
        size: fc.constantFrom(null, 640),
        href,
      })
      .map(({ size, ...image }): Run => ({ ...image, width: size, height: size })),
  },
);

const runs = fc.array(run, { maxLength: 6 }).map(normaliseRuns);
const align = fc.constantFrom<Align[]>('left', 'left', 'center', 'right', 'justify');

const text = (tags: ('p' | 'h1' | 'h2' | 'h3' | 'blockquote')[]): fc.Arbitrary<Block> =>
  fc
    .record({
      kind: fc.constant('text' as const),
      tag: fc.constantFrom(...tags),
      align,
      indent: fc.nat({ max: 8 }),
      runs,
    })
    // An empty block is a paragraph without formatting.
    .map((block) =>
      block.runs.length > 0 ? block : { ...block, tag: 'p' as const, align: 'left' as const, indent: 0 },
    );

const code: fc.Arbitrary<Block> = fc
  .string({ unit: fc.constantFrom('a', ' ', '\n', '<', '&'), maxLength: 12 })
  .map((line): Block => ({ kind: 'code', text: `${line}x` }));

function listOf(depth: number): fc.Arbitrary<ListBlock> {
  const nested: fc.Arbitrary<ListBlock[]> =
    depth === 0
      ? fc.constant<ListBlock[]>([])
      : fc
          .array(listOf(depth - 1), { maxLength: 2 })
          .map((lists) =>
            normaliseBlocks(lists).filter((block): block is ListBlock => block.kind === 'list'),
          );
  const item = fc.record({ runs: runs.filter((some) => some.length > 0), align, nested });
  return fc.record({
    kind: fc.constant('list' as const),
    ordered: fc.boolean(),
    items: fc.array(item, { minLength: 1, maxLength: 3 }),
  });
}
const list = listOf(2);

const quote: fc.Arbitrary<Block> = fc
  .array(fc.oneof(text(['p', 'h2']), list, code), { minLength: 2, maxLength: 3 })
  .map(normaliseBlocks)
  .filter((blocks) => blocks.length > 1)
  .map((blocks): Block => ({ kind: 'quote', blocks }));

/** Articles with every kind of block, as the editor has them. */
export const articles: fc.Arbitrary<Block[]> = fc
  .array(fc.oneof(text(['p', 'h1', 'h2', 'h3', 'blockquote']), list, code, quote), { maxLength: 6 })
  .map(normaliseBlocks);

/** Empty lists and items, and lists nested deeper than an article allows. */
const untidyList = Array.from({ length: 12 }).reduce<fc.Arbitrary<ListBlock>>(
  (inner) =>
    fc.record({
      kind: fc.constant('list' as const),
      ordered: fc.boolean(),
      items: fc.array(fc.record({ runs, align, nested: fc.array(inner, { maxLength: 2 }) }), {
        maxLength: 2,
      }),
    }),
  fc.constant<ListBlock>({ kind: 'list', ordered: true, items: [] }),
);

const { block: untidyBlock } = fc.letrec<{ block: Block }>((tie) => ({
  block: fc.oneof(
    { maxDepth: 3 },
    fc.record({
      kind: fc.constant('text' as const),
      tag: fc.constantFrom(...TEXT_TAGS),
      align,
      indent: fc.nat({ max: 8 }),
      runs,
    }),
    fc.record({
      kind: fc.constant('code' as const),
      text: fc.string({ unit: fc.constantFrom('a', ' ', '\n', '\t'), maxLength: 6 }),
    }),
    untidyList,
    fc.record({ kind: fc.constant('quote' as const), blocks: fc.array(tie('block'), { maxLength: 3 }) }),
  ),
}));

/** Blocks as they occur during editing: empty ones, nested quotations, lists that are too deep. */
export const untidyBlocks: fc.Arbitrary<Block[]> = fc.array(untidyBlock, { maxLength: 5 });
