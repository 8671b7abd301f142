import { PRODUCT_NAME } from '../../brand';
import { DomainError } from '../../errors';
import { MIN_PASSWORD_LENGTH } from '../account-fields';

/** Words of our product and its subject: the first guesses of anyone who attacks this site. In `lettersOf` form. */
const PRODUCT_WORDS = [
  PRODUCT_NAME.toLowerCase(),
  'pokemoncenter',
  'pokemoncentre',
  'pokemon',
  'pikachu',
  'charizard',
  'tradingcard',
  'waitingroom',
  'elitetrainer',
  'collector',
  'trainer',
  'booster',
  'restock',
  'cards',
  'card',
];

/** Shorter parts of a name or an address occur in too many other words. */
const MIN_WORD_LENGTH = 3;

/** Common replacements of letters. `1` also replaces an l. */
const LEET: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '!': 'i',
  '3': 'e',
  '4': 'a',
  '@': 'a',
  '5': 's',
  $: 's',
  '7': 't',
};

/** The letters of a text, in lower case and without accents. */
function lettersOf(text: string): string {
  return text.normalize('NFKD').toLowerCase().replace(/\P{L}/gu, '');
}

/** The readings of a password as letters: without digits and signs, and with those inside it as letters. */
function readingsOf(password: string): string[] {
  const plain = password.normalize('NFKD').toLowerCase();
  const first = plain.search(/\p{L}/u);
  if (first === -1) return [];
  let end = plain.length;
  while (end > first && !/\p{L}/u.test(plain.charAt(end - 1))) end -= 1;
  const core = [...plain.slice(first, end)];
  return [
    lettersOf(plain),
    lettersOf(core.map((sign) => LEET[sign] ?? sign).join('')),
    lettersOf(core.map((sign) => (sign === '1' ? 'l' : (LEET[sign] ?? sign))).join('')),
  ];
}

/** Facts about an account's owner that an attacker may know. */
export interface PasswordOwner {
  email: string;
  /** Names that others see; none for an address without a known account. */
  names?: readonly (string | null)[];
}

function wordsOf({ email, names = [] }: PasswordOwner): string[] {
  const texts = [email.split('@', 1)[0] ?? '', ...names.filter((name) => name !== null)];
  const words = texts.flatMap((text) => [text, ...text.split(/[^\p{L}\p{M}]+/u)]).map(lettersOf);
  return words.filter((word) => word.length >= MIN_WORD_LENGTH);
}

/**
 * The own word that most of a password consists of, as it was guessed; null if the rest of the password is long enough
 * without such words. Finds them in any case, with digits and signs around or between, and with digits for letters.
 */
export function findOwnWord(password: string, owner: PasswordOwner): string | null {
  const words = [...new Set([...PRODUCT_WORDS, ...wordsOf(owner)])].sort((a, b) => b.length - a.length);
  for (const reading of readingsOf(password)) {
    const found = words.filter((word) => reading.includes(word));
    const rest = found.reduce((text, word) => text.replaceAll(word, ''), reading);
    if (found[0] !== undefined && rest.length < MIN_PASSWORD_LENGTH) return found[0];
  }
  return null;
}

/** Throws `Invalid` `own_word_password` for a password that consists mostly of words of this site or of its owner. */
export function requireForeignWords(
  password: string,
  { owner, field }: { owner: PasswordOwner; field: string },
): void {
  const word = findOwnWord(password, owner);
  if (word === null) return;
  const message = `“${word}” is easy to guess here, so it does not count. Please add at least ${MIN_PASSWORD_LENGTH} letters of other words, or choose a password without it.`;
  throw new DomainError('Invalid', {
    code: 'own_word_password',
    message,
    fieldErrors: { [field]: [message] },
  });
}
