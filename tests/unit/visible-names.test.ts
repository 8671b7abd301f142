import { describe, expect, it } from 'vitest';
import { toUsername, usernameField } from '#shared/accounts/account-fields';
import { allowedHref } from '#shared/news/article-html/article-links';
import { describeRestock } from '#shared/restock/describe-restock';
import { originalName } from '#shared/storage/file-rule';

/** Texts that need format characters. */
const NEEDED = [
  '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} Sam',
  'Isla 🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
  'Rhys 🏴\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}',
  'Kit 🏳\ufe0f\u200d🌈',
  '👩\u200d💻 Mo',
  '🧑🏽\u200d⚕\ufe0f',
  '👨\u200d👩\u200d👧\u200d👦',
  '❤\ufe0f\u200d🔥',
  'می\u200cشود',
  'ه\u200d',
  'क्\u200dष',
  'അവന്\u200d',
  'ක්\u200dරිස්',
  'র\u200d্য',
];

/** Texts with characters that hide, or that change what is read. */
const HIDING = [
  '\u200e\u200e',
  'abc\u202edef',
  'ad\u200bmin',
  'a\u2066b',
  'a\u200db',
  'a\u200cb',
  '\u200d',
  '😀\u200d',
  '\u200d😀',
  '😀\u200d\u200d😀',
  'می\u200c\u200cشود',
  'می\u200c',
  '😀\u{e0061}\u{e0062}\u{e0063}\u{e007f}',
  '🏴\u{e0067}\u{e0062}',
  'a\ufeffb',
  'a\u00adb',
  '\ud800',
  'a\udc00b',
];

describe('names', () => {
  it.each(['Zoë 😀', ...NEEDED])('a name may be %s', (name) => {
    expect(usernameField.parse(` ${name} `)).toBe(name);
    expect(toUsername(name)).toBe(name);
    expect(originalName(`${name}.png`)).toBe(`${name}.png`);
    expect(allowedHref(`https://fa.example/wiki/${name.replaceAll(' ', '_')}`)).toBe(
      `https://fa.example/wiki/${name.replaceAll(' ', '_')}`,
    );
    expect(describeRestock(new URLSearchParams({ username: name }), null).username).toBe(name);
  });

  it('a name is visible', () => {
    for (const value of ['', '   ', 'a\nb', 'x'.repeat(41), ...HIDING])
      expect(usernameField.safeParse(value).success).toBe(false);
  });

  it('an external name is adapted', () => {
    expect(toUsername(`a\u202e${'b'.repeat(50)}`)).toBe(`a${'b'.repeat(39)}`);
    expect(toUsername('\u200b')).toBe('Member');
    expect(toUsername('\ufe0f')).toBe('Member');
    expect(toUsername(`${'b'.repeat(38)}👩\u200d💻`)).toBe(`${'b'.repeat(38)}👩`);
    for (const name of HIDING) expect(usernameField.safeParse(toUsername(name)).success).toBe(true);
  });
});
