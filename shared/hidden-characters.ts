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
