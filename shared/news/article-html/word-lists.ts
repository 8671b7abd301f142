import type { Block, ListBlock, Run } from './article-document';
import type { MarkupElement, MarkupNode } from './markup';

/** A list item as word processors write it: a paragraph with a level, which counts from 1. */
export interface WordItem {
  kind: 'word-item';
  level: number;
  ordered: boolean;
  runs: Run[];
}

/** Reads a paragraph that Word marks as a list item: `mso-list:l0 level2 lfo1`, its marker in a span. Null for others. */
export function readWordItem(node: MarkupElement): Omit<WordItem, 'runs'> | null {
  const style = node.attributes.style ?? '';
  const level = /mso-list:[^;:]*\blevel(\d)/i.exec(style)?.[1];
  if (level === undefined) return null;
  const marker = markerText(node) ?? '';
  // "1.", "a)" and "iv." are numbers; "·", "o" and "§" are bullets.
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

/** Converts adjacent items to nested lists, by their levels. */
export function nestWordItems(blocks: readonly (Block | WordItem)[]): Block[] {
  const nested: Block[] = [];
  // The open lists, outermost first.
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
