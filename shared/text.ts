import { z } from 'zod';

/** A text from outside without U+0000, which cannot be stored (see `storableParameters`). */
export function withoutNul(text: string): string {
  return text.replaceAll('\0', '');
}

/** The first `limit` code points: no emoji is cut in half. */
export function firstCharacters(text: string, limit: number): string {
  // A code point has at most two code units.
  return [...text.slice(0, 2 * limit)].slice(0, limit).join('');
}

/** Shortens a text of more than `fits` characters to its first `keep`, plus '…', which `fits` includes by default. */
export function shorten(text: string, { fits, keep = fits - 1 }: { fits: number; keep?: number }): string {
  const fitting = firstCharacters(text, fits);
  return fitting.length === text.length ? text : `${firstCharacters(text, keep).trimEnd()}…`;
}

/** Length in code points: an emoji counts as one. */
export function lengthOf(text: string): number {
  return [...text].length;
}

/** No script writes more combining marks in a row (unicode.org, UAX #15, Stream-Safe Text Format). */
const LONG_ROW_OF_MARKS = /(?<!\p{M})(\p{M}{30})\p{M}+/gu;

/**
 * Normalises a text of any length in linear time. `String.prototype.normalize` sorts a row of combining marks in quadratic
 * time (20,000 marks take 0.1 s), so all after the 30th mark of a row are left out.
 */
export function normaliseUnicode(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  return text.replace(LONG_ROW_OF_MARKS, '$1').normalize(form);
}

/** Control characters, lone surrogates, and bidirectional controls. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u{202a}-\u{202e}\u{2066}-\u{2069}]/u;

/**
 * Whether a text shows nothing: white space, zero-width characters, letters without a glyph (Hangul fillers;
 * unicode.org, UAX #44, Default_Ignorable_Code_Point), and the blank Braille pattern.
 */
export function isInvisible(text: string): boolean {
  return /^[\s\p{Cf}\p{Default_Ignorable_Code_Point}\u{2800}]*$/u.test(text);
}

/** One line of plain text, trimmed, white space collapsed. Refuses too many characters and invisible ones. May be blank. */
export function plainLine(longest: number, wrongType?: string) {
  return z
    .string(wrongType)
    .transform((text) => text.replace(/\s+/g, ' ').trim())
    .refine((text) => lengthOf(text) <= longest, `Please use at most ${longest} characters.`)
    .refine((text) => !UNPRINTABLE.test(text), 'Please use visible characters only.');
}

/** Like `plainLine`, but not blank. */
export function requiredLine(longest: number, missing: string) {
  return plainLine(longest, missing).refine((text) => !isInvisible(text), missing);
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text as HTML, for an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/**
 * Control and format characters, and separators of lines: most are invisible, some change the writing direction. Lone
 * surrogates, which UTF-8 cannot hold: the database would store U+FFFD.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Emoji joined to one picture, and the flags of a country's parts (unicode.org, UTS #51, ED-14a and ED-16). */
const EMOJI_SEQUENCE =
  /\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]{0,2}(?:\u200d\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]{0,2})+|\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}/gu;

/** Zero-width non-joiner, zero-width joiner, Mongolian vowel separator. */
const JOINER = /\u200c|\u200d|\u180e/g;
const JOINER_OR_TAG = /\u200c|\u200d|\u180e|[\u{e0020}-\u{e007f}]/u;

const LETTER_OR_MARK = /^[\p{L}\p{M}]/u;
/** Scripts whose letters join. */
const CURSIVE =
  /^[\p{scx=Arab}\p{scx=Syrc}\p{scx=Nkoo}\p{scx=Mong}\p{scx=Mand}\p{scx=Mani}\p{scx=Adlm}\p{scx=Rohg}\p{scx=Phag}]/u;
/** Scripts whose consonants form conjuncts. */
const CONJUNCT =
  /^[\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}\p{scx=Bali}\p{scx=Java}\p{scx=Sund}\p{scx=Cakm}\p{scx=Mtei}\p{scx=Limb}\p{scx=Lepc}\p{scx=Newa}\p{scx=Tirh}\p{scx=Gran}\p{scx=Kthi}\p{scx=Shrd}\p{scx=Lana}\p{scx=Saur}]/u;
/** The marks that remove a consonant's vowel. */
const VIRAMA =
  /^[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u1039\u103a\u17d2\u1b44\ua9c0\u1bab\u{11133}\uaaf6\u{11442}\u{114c2}\u{1134d}]/u;

/** Whether a joiner changes how the text around it is written, as in Persian, Hindi or Malayalam words (RFC 5892, A.1 and A.2). */
function joinsLetters(text: string, offset: number): boolean {
  const before = [...text.slice(Math.max(0, offset - 2), offset)].at(-1) ?? '';
  const after = text.slice(offset + 1, offset + 3);
  if (!LETTER_OR_MARK.test(before) || !(CURSIVE.test(before) || CONJUNCT.test(before))) return false;
  if (LETTER_OR_MARK.test(after) && (CURSIVE.test(after) || CONJUNCT.test(after))) return true;
  return VIRAMA.test(before) || (text[offset] === '\u200d' && CURSIVE.test(before));
}

/** The positions of the format characters that the writing needs: joiners and tags of emoji, joiners between letters. */
function neededOffsets(text: string): ReadonlySet<number> {
  const offsets = new Set<number>();
  if (!JOINER_OR_TAG.test(text)) return offsets;
  for (const { index, 0: sequence } of text.matchAll(EMOJI_SEQUENCE))
    for (let offset = index; offset < index + sequence.length; offset += 1) offsets.add(offset);
  for (const { index } of text.matchAll(JOINER)) if (joinsLetters(text, index)) offsets.add(index);
  return offsets;
}

/**
 * Removes hidden characters, but not the joiners and tags that emoji and scripts need. `hidden`: a global pattern that
 * matches one character; by default all control and format characters, lone surrogates and separators of lines.
 */
export function removeHidden(text: string, hidden: RegExp = HIDDEN): string {
  const needed = neededOffsets(text);
  return text.replace(hidden, (character, offset: number) => (needed.has(offset) ? character : ''));
}

/** Whether a text has characters that `removeHidden` removes. */
export function hasHidden(text: string): boolean {
  return removeHidden(text) !== text;
}

/** `decodeURIComponent`; an invalid escape stays as it is, because an operator may have written a bare `%`. */
export function decodeEscapes(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
