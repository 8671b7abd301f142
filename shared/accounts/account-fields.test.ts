import { describe, expect, it } from 'vitest';
import { codeField, emailField, newPasswordField } from './account-fields';
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

  it.each([
    '012345',
    ' 012345\n',
    '\u00a0012345',
    '012 345',
    '012\u202f345',
    '0 1 2 3 4 5',
    '012-345',
    '012\u2013345',
    '012.345',
    '\u200b012345',
    '012\u00ad345',
    '０１２３４５',
    '\u0660\u0661\u0662\u0663\u0664\u0665',
    '\u06f0\u06f1\u06f2 \u06f3\u06f4\u06f5',
    '०१२३४५',
    '𝟎𝟏𝟐𝟑𝟒𝟓',
    '0\ufe0f\u20e31\ufe0f\u20e32\ufe0f\u20e33\ufe0f\u20e34\ufe0f\u20e35\ufe0f\u20e3',
    'Your code is 012345',
    '**012345** is your code. It works for 10 minutes.',
    '25 November 2026: your Packwatch code: 012 345, valid until 09:30',
    'P-012345',
  ])('the code in %j is 012345', (text) => expect(codeField.parse(text)).toBe('012345'));

  it('a code is six digits, once', () => {
    for (const value of [
      '12345',
      '1234567',
      '123 4567',
      '012345 012345',
      'code 012345 or 543210',
      '12345a',
      '1234 five 6',
      `${'x'.repeat(10_000)}012345`,
      '',
      123456,
      ['123456'],
      { $gt: '' },
      undefined,
    ])
      expect(wordsOf(codeField, value)).toEqual(['Verification code must be 6 digits']);
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
