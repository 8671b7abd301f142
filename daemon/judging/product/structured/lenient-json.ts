import { jsonrepair } from 'jsonrepair';

/** In characters, for all texts of a page: repairing may take quadratic time. */
const MAX_REPAIRED = 50_000;
/** In characters. */
const MAX_PARSED = 2 * 1024 * 1024;

/** The remaining repair budget of a page, in characters. */
export interface RepairBudget {
  left: number;
}

export const newRepairBudget = (): RepairBudget => ({ left: MAX_REPAIRED });

/** Parses JSON, including broken JSON: with comments, trailing commas, raw line breaks, CDATA. Undefined for other texts. */
export function parseLenient(text: string, budget: RepairBudget): unknown {
  if (text.length > MAX_PARSED) return undefined;
  const strict = parseStrict(text);
  if (strict !== undefined || text.length > budget.left) return strict;
  budget.left -= text.length;
  const bare = text
    .replace(/^\s*(?:\/[/*]\s*)?(?:<!--|<!\[CDATA\[)(?:\s*\*\/)?/, '')
    .replace(/(?:\/[/*]\s*)?(?:-->|\]\]>)(?:\s*\*\/)?\s*$/, '')
    .trim()
    .replace(/;$/, '')
    .replace(/,\s*(?=,)/g, '');
  if (!/^[[{]/.test(bare)) return undefined;
  try {
    return JSON.parse(jsonrepair(bare)) as unknown;
  } catch {
    return bare.includes('&quot;')
      ? parseStrict(bare.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
      : undefined;
  }
}

/** Parses JSON. Undefined when it is none. */
export function parseStrict(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Whether a value is an object, and no list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value as a list: empty for none, the value itself, or its items. */
export function listOf(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** A trimmed text or number as text; null for anything else and for an empty one. */
export function textIn(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  if (isRecord(value)) {
    const inner = value['name'] ?? value['@value'];
    return isRecord(inner) ? null : textIn(inner);
  }
  if (typeof value !== 'string') return null;
  const text = decodeEntities(value).replace(/\s+/g, ' ').trim();
  return text === '' ? null : text.slice(0, 500);
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  quot: '"',
  lt: '<',
  gt: '>',
  apos: "'",
  nbsp: ' ',
  eacute: 'é',
  pound: '£',
};

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,6})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) => {
    if (typeof name === 'string') return ENTITIES[name.toLowerCase()] ?? whole;
    const code = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hex), 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
