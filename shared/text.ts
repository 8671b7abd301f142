import { z } from 'zod';

/** The first `limit` characters as people count them: no emoji is cut in half. */
export function firstCharacters(text: string, limit: number): string {
  // Twice as many code units hold that many characters, however long the text is.
  return [...text.slice(0, 2 * limit)].slice(0, limit).join('');
}

/**
 * The text when it has at most `fits` characters, else its first `keep` with '…'. Unless said otherwise the ellipsis
 * is one of those that fit.
 */
export function shorten(text: string, { fits, keep = fits - 1 }: { fits: number; keep?: number }): string {
  const fitting = firstCharacters(text, fits);
  return fitting.length === text.length ? text : `${firstCharacters(text, keep).trimEnd()}…`;
}

/** Length as people count it: an emoji or an accented letter is one. */
function lengthOf(text: string): number {
  return [...text].length;
}

/** Control characters, halves of surrogate pairs, and marks that turn the direction of what follows them. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u{202a}-\u{202e}\u{2066}-\u{2069}]/u;

/**
 * Nothing to see: white space, characters without width, fillers that are letters by their kind (Hangul's; unicode.org,
 * UAX #44, Default_Ignorable_Code_Point), and the Braille pattern without dots.
 */
export function isInvisible(text: string): boolean {
  return /^[\s\p{Cf}\p{Default_Ignorable_Code_Point}\u{2800}]*$/u.test(text);
}

/**
 * One line of plain text, trimmed; line breaks, tabs and repeated spaces count as one space. Refuses, with sentences for
 * people, what is too long (in characters) or cannot be seen. May come out blank.
 */
export function plainLine(longest: number, wrongType?: string) {
  return z
    .string(wrongType)
    .transform((text) => text.replace(/\s+/g, ' ').trim())
    .refine((text) => lengthOf(text) <= longest, `Please use at most ${longest} characters.`)
    .refine((text) => !UNPRINTABLE.test(text), 'Please use visible characters only.');
}

/** The same, not blank. */
export function requiredLine(longest: number, missing: string) {
  return plainLine(longest, missing).refine((text) => !isInvisible(text), missing);
}
