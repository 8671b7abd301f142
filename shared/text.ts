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
/** Far cheaper: a row of characters outside the Latin letters, punctuation and symbols, which hold no such mark. */
const LONG_ROW = /[^\0-\u02ff\u2000-\u20cf\u2100-\u2bff]{31}/;

/**
 * Normalises a text of any length in linear time. `String.prototype.normalize` sorts a row of combining marks in quadratic
 * time (20,000 marks take 0.1 s), so all after the 30th mark of a row are left out.
 */
export function normaliseUnicode(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  return (LONG_ROW.test(text) ? text.replace(LONG_ROW_OF_MARKS, '$1') : text).normalize(form);
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

/** `decodeURIComponent`; an invalid escape stays as it is, because an operator may have written a bare `%`. */
export function decodeEscapes(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
