import type { Block, ListBlock, Run } from './article-document';
import type { MarkupElement, MarkupNode } from './markup';

/** An item of a list as word processors write it: a paragraph, and how deep it stands. `level` counts from 1. */
export interface WordItem {
  kind: 'word-item';
  level: number;
  ordered: boolean;
  runs: Run[];
}

/**
 * What Word says of a paragraph that is an item of a list: `mso-list:l0 level2 lfo1` in its style, and its marker in a
 * span styled `mso-list:Ignore`. Null: it is none.
 */
export function readWordItem(node: MarkupElement): Omit<WordItem, 'runs'> | null {
  const style = node.attributes.style ?? '';
  const level = /mso-list:[^;]*\blevel(\d)/i.exec(style)?.[1];
  if (level === undefined) return null;
  const marker = markerText(node) ?? '';
  // "1.", "a)", "iv." count; "·", "o", "§" and the like are bullets.
  const ordered = /^\s*\(?([0-9]+|[a-z]|[ivxlcdm]+)[.)]/i.test(marker.replaceAll('\u00a0', ' '));
  return { kind: 'word-item', level: Number(level), ordered };
}

function markerText(node: MarkupNode): string | null {
  if (typeof node === 'string') return null;
  if (/mso-list:\s*ignore/i.test(node.attributes.style ?? '')) return allText(node);
  for (const child of node.children) {
    const found = markerText(child);
    if (found !== null) return found;
  }
  return null;
}

function allText(node: MarkupNode): string {
  return typeof node === 'string' ? node : node.children.map(allText).join('');
}

/** Makes lists of items that follow each other, the deeper inside the shallower. */
export function nestWordItems(blocks: readonly (Block | WordItem)[]): Block[] {
  const nested: Block[] = [];
  // The lists that are open, the outermost first.
  const open: { level: number; list: ListBlock }[] = [];
  for (const block of blocks) {
    if (block.kind !== 'word-item') {
      open.length = 0;
      nested.push(block);
      continue;
    }
    const { level, ordered, runs } = block;
    while ((open.at(-1)?.level ?? 0) > level) open.pop();
    if (open.at(-1)?.level === level && open.at(-1)?.list.ordered !== ordered) open.pop();
    if (open.at(-1)?.level !== level) {
      const list: ListBlock = { kind: 'list', ordered, items: [] };
      const parent = open.at(-1)?.list.items.at(-1);
      (parent?.nested ?? nested).push(list);
      open.push({ level, list });
    }
    open.at(-1)?.list.items.push({ runs, align: 'left', nested: [] });
  }
  return nested;
}
