import { normaliseUnicode } from '#shared/text';

const INVISIBLE = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ue000-\uf8ff\ufeff]/g;
const APOSTROPHES = /[\u2018\u2019\u201b\u02bc\u02b9\u2032\u00b4\u0060\u055a\uff07]/g;
const DASHES = /[\u2010-\u2015\u2212]/g;
const LATIN_MARKS = /[\u0300-\u036f]/g;
const UNDECOMPOSABLE: Readonly<Record<string, string>> = {
  ł: 'l',
  ø: 'o',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** Removes accents from letters. Japanese voiced kana and Hangul are recomposed: there the mark makes another letter. */
export function stripMarks(text: string): string {
  if (!/[\u0080-\uffff]/.test(text)) return text;
  return normaliseUnicode(normaliseUnicode(text, 'NFD').replace(LATIN_MARKS, ''), 'NFC').replace(
    /[łøßæœđðþı]/g,
    (letter) => UNDECOMPOSABLE[letter] ?? letter,
  );
}

/** An apostrophe that was decoded with the wrong charset or encoded twice. */
const BROKEN_APOSTROPHE =
  /â€[™˜]|&(?:#0?39|#x27|rsquo|apos);|(?<=[a-z])\ufffd{1,3}(?=(?:re|ve|ll|s|t|d)(?:$|[^a-z]))/gi;

/**
 * Folds different spellings of the same words: full-width forms, capitals, accents, curly apostrophes, long dashes,
 * invisible characters, and those of icon fonts. Line breaks stay, because a block ends there; other white space becomes one space.
 */
export function foldText(text: string): string {
  return foldBlanks(
    /[\u0080-\uffff]|&(?:#|rsquo|apos)/.test(text)
      ? foldLetters(text)
      : text.replaceAll('`', "'").toLowerCase(),
  );
}

function foldLetters(text: string): string {
  const plain = normaliseUnicode(text.replace(BROKEN_APOSTROPHE, "'"), 'NFKC')
    .replace(INVISIBLE, '')
    .replace(APOSTROPHES, "'")
    .replace(DASHES, '-')
    .toLowerCase();
  return stripMarks(plain);
}

/** Most spaces are single ones; replacing each of them would take most of the time. */
function foldBlanks(text: string): string {
  return text
    .replace(/[^\S\n ][^\S\n]*| [^\S\n]+/g, ' ')
    .replace(/ \n[\n ]*|\n[\n ]+/g, '\n')
    .trim();
}

const EXCERPT_LENGTH = 160;

/** Shortens a text to one line of at most 160 characters. */
export function excerpt(text: string): string {
  const line = text
    .slice(0, EXCERPT_LENGTH * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= EXCERPT_LENGTH ? line : `${line.slice(0, EXCERPT_LENGTH - 1)}…`;
}

/** An excerpt of a text around a match. */
export function excerptAround(text: string, start: number, length: number): string {
  const from = Math.max(0, start - 30);
  return excerpt(text.slice(from, start + Math.max(length, 1) + 60));
}
