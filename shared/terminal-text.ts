/**
 * What a terminal obeys instead of showing it: control characters (C0, DEL, C1, with which escape sequences begin), line
 * separators, and marks that turn the direction of the text around them (unicode.org/reports/tr9, section 2).
 */
const OBEYED = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const OBEYED_BUT_LINE_ENDS = /(?!\n)[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A character as JSON writes it: `\u001b`. */
function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A text from outside (a page, Scrappey, Discord, a member's name) as one line that a terminal only shows. */
export function terminalLine(text: string): string {
  return text.replace(/[\r\n\t]+/g, ' ').replace(OBEYED, escaped);
}

/** The same for text of several lines of our own. */
export function terminalText(text: string): string {
  return text.replace(OBEYED_BUT_LINE_ENDS, escaped);
}

/** A value as one line of JSON; characters that a terminal obeys are escaped, which JSON reads as the same text. */
export function terminalJson(value: unknown): string {
  return JSON.stringify(value).replace(OBEYED, escaped);
}

/**
 * A log line (JSON text) for a program that reads it and prints its texts on a terminal, such as pino-pretty: the reader
 * finds `\u001b` spelled out instead of the character. Line ends and tabs stay, for stack traces.
 */
export function terminalLogLine(json: string): string {
  return json
    .replace(/\\(?:u00[01][0-9a-f]|u007f|[bfr]|.)/g, (escape) =>
      /^\\(?:u0|[bfr])/.test(escape) ? `\\${escape}` : escape,
    )
    .replace(OBEYED_BUT_LINE_ENDS, (character) => `\\${escaped(character)}`);
}
