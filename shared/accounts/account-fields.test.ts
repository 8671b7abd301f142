import { describe, expect, it } from 'vitest';
import { codeField, emailField, newPasswordField, toUsername, usernameField } from './account-fields';
import { preferencesField } from './preferences';

const wordsOf = (field: typeof codeField, value: unknown) =>
  field.safeParse(value).error?.issues.map(({ message }) => message);

describe('the fields of an account', () => {
  it('an address is trimmed and lower case', () => {
    expect(emailField.parse('  Ann@Example.ORG ')).toBe('ann@example.org');
  });

  // The Kelvin sign lowercases to an ASCII k: the address would be that of another account.
  it('an address is validated before it is lowercased', () => {
    expect(emailField.safeParse('\u212aim@example.org').success).toBe(false);
    expect(emailField.safeParse('kim@\u212a.example.org').success).toBe(false);
    const tooLong = emailField.safeParse('\u0130'.repeat(100_000));
    expect(tooLong.error?.issues.map(({ message }) => message)).toEqual(['This email address is too long.']);
  });

  it.each([
    '',
    'ann',
    'ann@',
    `${'a'.repeat(250)}@example.org`,
    'a@b.example\nbcc: c@d.example',
    ['a@b.cd'],
    { $gt: '' },
    null,
  ])('an address is not %j', (value) => expect(emailField.safeParse(value).success).toBe(false));

  it('a password has ten to two hundred characters, not UTF-16 units', () => {
    expect(newPasswordField.safeParse('😀'.repeat(10)).success).toBe(true);
    expect(newPasswordField.safeParse('😀'.repeat(9)).success).toBe(false);
    expect(newPasswordField.safeParse('é'.repeat(200)).success).toBe(true);
    expect(newPasswordField.safeParse('é'.repeat(201)).success).toBe(false);
  });

  it('a code is six digits', () => {
    expect(codeField.parse(' 012345 ')).toBe('012345');
    for (const value of [
      '12345',
      '1234567',
      '12345a',
      '１２３４５６',
      '',
      123456,
      ['123456'],
      { $gt: '' },
      undefined,
    ])
      expect(wordsOf(codeField, value)).toEqual(['Verification code must be 6 digits']);
  });

  it('a name is visible', () => {
    expect(usernameField.parse(' Zoë 😀 ')).toBe('Zoë 😀');
    for (const value of ['', '   ', 'a\nb', 'a\u202eb', 'x'.repeat(41)])
      expect(usernameField.safeParse(value).success).toBe(false);
  });

  it('an external name is adapted', () => {
    expect(toUsername(`a\u202e${'b'.repeat(50)}`)).toBe(`a${'b'.repeat(39)}`);
    expect(toUsername('\u200b')).toBe('Member');
  });

  it('preferences are booleans, without other fields', () => {
    expect(
      preferencesField.parse({ marketing: true, role: 'admin', alerts: { email: false, x: 1 } }),
    ).toEqual({
      marketing: true,
      alerts: { email: false },
    });
    expect(preferencesField.safeParse({ marketing: 'true' }).success).toBe(false);
  });
});
