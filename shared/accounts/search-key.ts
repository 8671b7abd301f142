import { normaliseUnicode } from '../text';

/**
 * A text as the search for members compares it, without case and accents: "Straße", "STRASSE", "José" and "jose" in one form
 * each, as are the Turkish letters İ, I, ı and i.
 */
export function searchKey(text: string): string {
  const withoutMarks = normaliseUnicode(text, 'NFKD').replace(/\p{M}/gu, '');
  // Upper case makes "SS" of "ß" and "I" of "ı", but keeps the capital "ẞ". A sigma has another form at the end of a word.
  const folded = withoutMarks.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
  return folded.normalize('NFC').trim();
}

/** The columns of a name: what people see, and how the search finds it. */
export const usernameColumns = (username: string) => ({ username, username_search: searchKey(username) });
