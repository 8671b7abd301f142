import { describe, expect, it } from 'vitest';
import { terminalJson, terminalLine, terminalLogLine, terminalText } from './terminal-text';

/** Every control character that a terminal may interpret. */
const OBEYED = [
  ...Array.from({ length: 0x20 }, (_unused, code) => String.fromCharCode(code)),
  ...Array.from({ length: 0x21 }, (_unused, code) => String.fromCharCode(0x7f + code)),
  ...'\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069',
];
const HOSTILE = 'a\u001b[2J\u001b]0;owned\u0007b\u009b31mc\u202ed\r\ne';

describe('external text on a terminal', () => {
  it('contains no control character', () => {
    for (const character of OBEYED) {
      expect(terminalLine(`a${character}b`)).toMatch(/^a( |\\u[0-9a-f]{4})b$/);
      if (character !== '\n') expect(terminalText(`a${character}b`)).toMatch(/^a\\u[0-9a-f]{4}b$/);
    }
    expect(terminalLine(HOSTILE)).toBe('a\\u001b[2J\\u001b]0;owned\\u0007b\\u009b31mc\\u202ed e');
  });

  it('keeps letters of any script', () => {
    const text = 'Pokémon £9.99 – ポケモン 🎴 العربية';
    expect(terminalLine(text)).toBe(text);
    expect(terminalText(`${text}\n${text}`)).toBe(`${text}\n${text}`);
  });

  it('is the same value when parsed as JSON', () => {
    const line = terminalJson({ reason: HOSTILE });
    expect(JSON.parse(line)).toEqual({ reason: HOSTILE });
    for (const character of OBEYED) expect(line).not.toContain(character);
  });

  it('is printed by the log formatter as escapes, not as control characters', () => {
    const read = JSON.parse(terminalLogLine(JSON.stringify({ msg: HOSTILE, path: 'C:\\u001b' }))) as {
      msg: string;
      path: string;
    };
    expect(read.msg).toBe('a\\u001b[2J\\u001b]0;owned\\u0007b\\u009b31mc\\u202ed\\r\ne');
    expect(read.path).toBe('C:\\u001b');
    for (const character of OBEYED.filter((one) => one !== '\n' && one !== '\t')) {
      const line = terminalLogLine(JSON.stringify({ stack: `a${character}b\n\tat c` }));
      const { stack } = JSON.parse(line) as { stack: string };
      expect(stack).not.toContain(character);
      expect(stack).toMatch(/\n\tat c$/);
    }
  });
});
