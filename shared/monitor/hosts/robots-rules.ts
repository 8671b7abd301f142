import { SECOND } from '../../clock';

/** The name of this service in robots.txt. */
const PRODUCT_TOKEN = 'packwatch';
/** Later rules of a file do not count, and no address that is watched is as long as a longer pattern. */
const MAX_RULES = 2_000;
const MAX_PATTERN = 2_000;

export interface RobotsRules {
  rules: { allow: boolean; pattern: string }[];
  /** `Crawl-delay`, or null. */
  delayMs: number | null;
}

const NO_RULES: RobotsRules = { rules: [], delayMs: null };

/**
 * Reads the rules of a robots.txt for this service: of the groups that name it, else of those for all (RFC 9309,
 * section 2.2.1). Own code: `robots-parser` 3.0.1 copies each rule for each agent of its group, which are 10^8 rules for
 * a hostile file of 500 KB. Time and result are linear in the text.
 */
export function readRobotsRules(text: string): RobotsRules {
  const groups = new Map<string, RobotsRules>();
  let current: RobotsRules[] = [];
  let names = false;
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n?|\n/)) {
    const [, key = '', value = ''] = /^\s*([A-Za-z-]+)\s*:([^#]*)/.exec(line) ?? [];
    const name = key.toLowerCase();
    if (name === 'user-agent') {
      if (!names) current = [];
      names = true;
      const [agent = ''] = value.trim().toLowerCase().split('/', 1);
      if (agent !== PRODUCT_TOKEN && agent !== '*') continue;
      const group = groups.get(agent) ?? { rules: [], delayMs: null };
      groups.set(agent, group);
      if (!current.includes(group)) current.push(group);
    } else if (name === 'allow' || name === 'disallow' || name === 'crawl-delay') {
      names = false;
      for (const group of current) addLine(group, name, value.trim());
    }
  }
  return groups.get(PRODUCT_TOKEN) ?? groups.get('*') ?? NO_RULES;
}

function addLine(group: RobotsRules, name: string, value: string): void {
  if (name === 'crawl-delay') {
    if (/^\d{1,6}(?:\.\d{1,6})?$/.test(value)) group.delayMs ??= Math.round(Number(value) * SECOND);
    return;
  }
  if (value === '' || value.length > MAX_PATTERN || group.rules.length === MAX_RULES) return;
  group.rules.push({ allow: name === 'allow', pattern: normalisePath(value) });
}

/** The rules in the format of robots.txt, as they are stored. */
export function writeRobotsRules({ rules }: RobotsRules): string {
  const lines = rules.map(({ allow, pattern }) => `${allow ? 'Allow' : 'Disallow'}: ${pattern}`);
  return ['User-agent: *', ...lines].join('\n');
}

/** Whether rules allow an address: the longest pattern decides, of equal ones the one that allows (section 2.2.2). */
export function isAllowedByRules({ rules }: RobotsRules, url: string): boolean {
  const address = URL.parse(url);
  if (address === null) return false;
  const path = normalisePath(`${address.pathname}${address.search}`);
  let longest = -1;
  let allowed = true;
  for (const { allow, pattern } of rules) {
    if (pattern.length < longest || (pattern.length === longest && !allow) || !matches(pattern, path))
      continue;
    longest = pattern.length;
    allowed = allow;
  }
  return allowed;
}

/** Equal octets in equal spelling (section 2.2.2): unreserved characters as such, the others as upper-case escapes. */
function normalisePath(path: string): string {
  return path
    .replace(/[\ud800-\udfff]/gu, '\ufffd')
    .replace(/[^\u0021-\u007e]/gu, encodeURIComponent)
    .replace(/%([0-9a-f]{2})/gi, (escape: string, code: string) => {
      const character = String.fromCharCode(Number.parseInt(code, 16));
      return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
    });
}

/** Whether a path begins as a pattern says: `*` is any text, `$` at the end is the end of the path. */
function matches(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith('$');
  const [first = '', ...parts] = (isWhole ? pattern.slice(0, -1) : pattern).split('*');
  if (!path.startsWith(first)) return false;
  const last = isWhole ? parts.pop() : undefined;
  if (isWhole && last === undefined) return path === first;
  let at = first.length;
  for (const part of parts) {
    const found = path.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return last === undefined || (path.length - last.length >= at && path.endsWith(last));
}
