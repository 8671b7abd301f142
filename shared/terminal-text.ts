/**
 * Characters that control a terminal: control characters (C0, DEL, C1, which start escape sequences), line
 * separators, and bidirectional controls (unicode.org/reports/tr9, section 2).
 */
const CONTROLS = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const CONTROLS_EXCEPT_LINE_FEED = /(?!\n)[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A character as JSON writes it: `\u001b`. */
function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Escapes outside text (a page, Scrappey, Discord, a member's name) to one harmless line for a terminal. */
export function terminalLine(text: string): string {
  return text.replace(/[\r\n\t]+/g, ' ').replace(CONTROLS, escaped);
}

/** Like `terminalLine`, but keeps line feeds, for our own text. */
export function terminalText(text: string): string {
  return text.replace(CONTROLS_EXCEPT_LINE_FEED, escaped);
}

/** Formats a value as one line of JSON with terminal control characters escaped; parsing it returns the same value. */
export function terminalJson(value: unknown): string {
  return JSON.stringify(value).replace(CONTROLS, escaped);
}

/**
 * Escapes a JSON log line for a program that parses it and prints its texts, such as pino-pretty: the program sees
 * `\u001b` spelled out. Keeps line feeds and tabs, for stack traces.
 */
export function terminalLogLine(json: string): string {
  return json
    .replace(/\\(?:u00[01][0-9a-f]|u007f|[bfr]|.)/g, (escape) =>
      /^\\(?:u0|[bfr])/.test(escape) ? `\\${escape}` : escape,
    )
    .replace(CONTROLS_EXCEPT_LINE_FEED, (character) => `\\${escaped(character)}`);
}
