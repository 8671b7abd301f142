import type { PageRefresh } from './parsed-page';

/** A longer time is a page that never reloads. In digits. */
const MAX_DIGITS = 9;
/** In characters. Servers accept no longer address. */
const MAX_ADDRESS = 8 * 1024;

const isDigit = (character: string | undefined): boolean =>
  character !== undefined && character >= '0' && character <= '9';
const isSpace = (character: string | undefined): boolean =>
  character === ' ' || character === '\t' || character === '\n' || character === '\f' || character === '\r';

/** Reads a text from its start to its end, once. */
class Reader {
  position = 0;
  constructor(readonly text: string) {}

  /** The next character; undefined at the end. */
  get next(): string | undefined {
    return this.text[this.position];
  }

  /** Passes the characters that `accepts`, and returns them. */
  pass(accepts: (character: string | undefined) => boolean): string {
    const start = this.position;
    while (accepts(this.next)) this.position += 1;
    return this.text.slice(start, this.position);
  }

  /** Passes one character if it is one of `wanted`. Returns whether it was. */
  take(wanted: string): boolean {
    if (this.next === undefined || !wanted.includes(this.next)) return false;
    this.position += 1;
    return true;
  }
}

/**
 * Parses the value of a refresh header or meta element, such as "20" or "0; url=https://…", as browsers do (HTML Standard,
 * "shared declarative refresh steps"). Null when it is invalid: browsers then do nothing. In linear time.
 */
export function readRefresh(value: string): PageRefresh | null {
  const reader = new Reader(value);
  reader.pass(isSpace);
  const digits = reader.pass(isDigit);
  if (digits === '' && reader.next !== '.') return null;
  const seconds = Number(digits.length > MAX_DIGITS ? '9'.repeat(MAX_DIGITS) : digits);
  reader.pass((character) => isDigit(character) || character === '.');
  if (reader.next !== undefined) {
    if (!isSpace(reader.next) && reader.next !== ';' && reader.next !== ',') return null;
    reader.pass(isSpace);
    reader.take(';,');
    reader.pass(isSpace);
  }
  const url = readAddress(reader).trim();
  if (url.length > MAX_ADDRESS || /^javascript:/i.test(url)) return null;
  return { seconds, url: url === '' ? null : url };
}

/** The address after the time: with or without `url=`, with or without quotes. */
function readAddress(reader: Reader): string {
  const whole = reader.text.slice(reader.position);
  if (reader.take('uU')) {
    if (!reader.take('rR') || !reader.take('lL')) return whole;
    reader.pass(isSpace);
    if (!reader.take('=')) return whole;
    reader.pass(isSpace);
  }
  const quote = reader.next;
  if (!reader.take('"\'') || quote === undefined) return reader.text.slice(reader.position);
  const end = reader.text.indexOf(quote, reader.position);
  return reader.text.slice(reader.position, end === -1 ? undefined : end);
}
