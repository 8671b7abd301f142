import { firstCharacters } from '#shared/shorten';

/** The first `length` characters of a text, with '…' when more follows. */
export function shortened(text: string, length: number): string {
  const trimmed = text.trim();
  const beginning = firstCharacters(trimmed, length);
  return beginning.length < trimmed.length ? `${beginning.trimEnd()}…` : beginning;
}
