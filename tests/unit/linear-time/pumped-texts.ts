import { RegExpParser, type AST } from '@eslint-community/regexpp';

/** How a text for a pattern grows: `before`, then `pump` as often as the size demands, then `after`. */
export interface Pump {
  before: string;
  pump: string;
  after: string;
}

/** Characters that are tried as members of a class, besides those in the pattern itself. */
const COMMON = 'aZ09 \t\n_-.:/\\"\'<>=&;%#@!?,|+*$()[]{}éß漢あ\u0000';
/** A repetition of fewer times costs at most that many steps for each character. */
const UNBOUNDED = 100;
const MAX_SAMPLES = 6;
/** A pattern of words has more letters; in it they are of one kind. */
const MAX_LETTERS = 12;
/** A pattern of phrases has hundreds of repetitions; fewer texts for each keep the test short. */
const MANY_REPETITIONS = 20;

const parser = new RegExpParser();

/**
 * Texts on which a pattern can take more than linear time: each unbounded repetition is fed with characters or words that
 * it accepts, after a text that leads to it and before one that lets the match fail. Characters that the same parts of the
 * pattern accept count as one, so that parts that compete for a character are fed with it.
 */
export function pumpsOf(pattern: RegExp): Pump[] {
  const tree = parser.parseLiteral(`/${pattern.source}/${pattern.flags}`);
  const flags = pattern.flags.replace(/[gy]/g, '');
  const repetitions = findRepetitions(tree.pattern);
  const kinds = kindsOfCharacters(tree.pattern, pattern.source, flags);
  const pumps = new Map<string, Pump>();
  const add = (pump: Pump): unknown =>
    pump.pump !== '' && pumps.set(JSON.stringify([pump.before, pump.pump, pump.after]), pump);
  const isWordy = repetitions.length > MANY_REPETITIONS;
  for (const repetition of repetitions) {
    const { accepted, rejected } = sortKinds(repetition.element, kinds, flags);
    const befores = new Set([textBefore(repetition, 0, flags), textBefore(repetition, 1, flags)]);
    const words = new Set([...accepted, ...samples(repetition.element, flags)]);
    for (const before of befores) {
      for (const after of isWordy ? [`${rejected}!`] : ['', '\u0000', '!\n', `${rejected}!`]) {
        for (const pump of words) {
          add({ before, pump, after });
          // An anchored alternative would take the start.
          if (!isWordy) add({ before: `\u0000${before}`, pump, after });
          // Many places at which a search can begin.
          add({ before: '', pump: before + pump, after });
        }
        add({ before: '', pump: before, after });
      }
    }
  }
  return [...pumps.values()];
}

function findRepetitions(root: AST.Node): AST.Quantifier[] {
  const found: AST.Quantifier[] = [];
  const visit = (node: AST.Node): void => {
    if (node.type === 'Quantifier') {
      if (node.max >= UNBOUNDED) found.push(node);
      visit(node.element);
    } else if ('alternatives' in node) node.alternatives.forEach(visit);
    else if (node.type === 'Alternative') node.elements.forEach(visit);
  };
  visit(root);
  return found;
}

const CLASSES = new Set(['CharacterSet', 'CharacterClass', 'ExpressionCharacterClass']);

/** One character of each kind: characters of a kind are accepted by the same classes, and are no letter of the pattern. */
function kindsOfCharacters(root: AST.Node, source: string, flags: string): string[] {
  const classes = new Set<string>();
  const letters = new Set<string>();
  const visit = (node: AST.Node): void => {
    if (CLASSES.has(node.type)) classes.add(node.raw);
    else if (node.type === 'Character') letters.add(String.fromCodePoint(node.value));
    else if (node.type === 'Quantifier') visit(node.element);
    else if ('alternatives' in node) node.alternatives.forEach(visit);
    else if (node.type === 'Alternative') node.elements.forEach(visit);
  };
  visit(root);
  const tests = [...classes].map((raw) => new RegExp(`^${raw}$`, flags));
  const kinds = new Map<string, string>();
  for (const character of new Set([...COMMON, ...source])) {
    const isLetter = letters.size <= MAX_LETTERS && letters.has(character);
    const kind =
      tests.map((test) => (test.test(character) ? '1' : '0')).join('') + (isLetter ? character : '');
    if (!kinds.has(kind)) kinds.set(kind, character);
  }
  return [...kinds.values()];
}

/** The kinds that a repeated class or character accepts, and one that it rejects. */
function sortKinds(
  element: AST.Node,
  kinds: readonly string[],
  flags: string,
): { accepted: string[]; rejected: string } {
  if (!CLASSES.has(element.type) && element.type !== 'Character') return { accepted: [], rejected: '' };
  const test = new RegExp(`^${element.raw}$`, flags);
  const accepted = kinds.filter((character) => test.test(character));
  return { accepted, rejected: kinds.find((character) => !test.test(character)) ?? '' };
}

/** A text that the pattern accepts before this node. Optional parts occur `times` times. */
function textBefore(node: AST.Node, times: number, flags: string): string {
  const { parent } = node;
  if (parent === null || parent === undefined) return '';
  const outer = textBefore(parent, times, flags);
  if (parent.type !== 'Alternative') return outer;
  const siblings = parent.elements.slice(0, parent.elements.indexOf(node as AST.Element));
  return outer + siblings.map((sibling) => sample(sibling, times, 0, flags)).join('');
}

/** A few texts that a node accepts, by its alternatives. */
function samples(node: AST.Node, flags: string): string[] {
  const count = 'alternatives' in node ? Math.min(node.alternatives.length, MAX_SAMPLES) : 1;
  return Array.from({ length: count }, (_, index) => [
    sample(node, 0, index, flags),
    sample(node, 1, index, flags),
  ]).flat();
}

/** One text that a node accepts. `choice` is the alternative to take where there are several. */
function sample(node: AST.Node, times: number, choice: number, flags: string): string {
  switch (node.type) {
    case 'Character':
      return String.fromCodePoint(node.value);
    case 'CharacterSet':
    case 'CharacterClass':
    case 'ExpressionCharacterClass': {
      const accepts = new RegExp(`^${node.raw}$`, flags);
      return [...node.raw, ...COMMON].find((character) => accepts.test(character)) ?? '';
    }
    case 'Quantifier':
      return sample(node.element, times, choice, flags).repeat(
        Math.min(Math.max(node.min, Math.min(times, node.max)), UNBOUNDED),
      );
    case 'Group':
    case 'CapturingGroup': {
      const chosen = node.alternatives[choice % node.alternatives.length];
      return chosen === undefined ? '' : sample(chosen, times, 0, flags);
    }
    case 'Alternative':
      return node.elements.map((element) => sample(element, times, choice, flags)).join('');
    default:
      // Assertions consume nothing, and back-references are rare.
      return '';
  }
}
