import { stripMarks } from '../parse/normalise-text';

/** Builds a pattern for folded page text (lower case, no accents). A space also matches a line break. */
export function anyOf(...phrases: string[]): RegExp {
  return new RegExp(phrases.map((phrase) => stripMarks(phrase).replaceAll(' ', '[ \\n]')).join('|'));
}
