import { describe, expect, it } from 'vitest';
import { isCommonPassword, requireUncommonPassword } from './common-passwords.server';

describe('a password', () => {
  it.each([
    '1234567890',
    '0987654321',
    '1111111111',
    'qwertyuiop',
    'password123',
    'PassWord123',
    'Iloveyou123',
    // Full-width letters have the same hash.
    'ｐａｓｓｗｏｒｄ１２３',
  ])('that many people choose is common: %s', async (password) => {
    expect(await isCommonPassword(password)).toBe(true);
  });

  it.each(['correct horse battery', 'packwatch and some words', '💥'.repeat(10)])(
    'of several words or unusual characters is not common: %s',
    async (password) => {
      expect(await isCommonPassword(password)).toBe(false);
      await requireUncommonPassword(password);
    },
  );

  it('that is common is refused at its field, with an instruction', async () => {
    await expect(requireUncommonPassword('Password123')).rejects.toMatchObject({
      kind: 'Invalid',
      code: 'common_password',
      fieldErrors: { password: [expect.stringContaining('Please choose another one')] },
    });
  });
});
