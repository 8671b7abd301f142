const CODE_LENGTH = 6;
/** A longer text is not searched; the whole mail with the code is shorter. */
const LONGEST_TEXT = 10_000;
/** The Unicode ranges of decimal digits have 10 characters, or 50 (mathematical digits; unicode.org, UAX #44, Numeric_Type). */
const LONGEST_DIGIT_RANGE = 50;

const DIGIT = /^\p{Nd}$/u;
/** Characters without a width, and marks such as those of keycap emoji. */
const IGNORED = /[\p{Cf}\p{M}]+/gu;
/** Digits with white space or dashes between them, or with one other separator. */
const NUMBER = /\p{Nd}(?:(?:[\s\p{Pd}\u2212]*|[._\u00b7\u2022])\p{Nd})*/gu;

/** The value of a decimal digit of any script: each script has its ten digits in order. */
function valueOf(digit: string): number {
  const codePoint = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (before < LONGEST_DIGIT_RANGE && DIGIT.test(String.fromCodePoint(codePoint - before - 1)))
    before += 1;
  return before % 10;
}

/**
 * Finds the verification code in typed or pasted text, such as `932 945` or `Your code is 932945`. Returns its six digits
 * as ASCII; null if the text has none, or more than one number of six digits.
 */
export function findCode(text: string): string | null {
  if (text.length > LONGEST_TEXT) return null;
  const numbers = [...text.replace(IGNORED, '').matchAll(NUMBER)]
    .map(([number]) => [...number].filter((character) => DIGIT.test(character)))
    .filter(({ length }) => length === CODE_LENGTH);
  const [digits] = numbers;
  return digits === undefined || numbers.length > 1 ? null : digits.map(valueOf).join('');
}
