import { describe, expect, it } from 'vitest';
import { findOwnWord, requireForeignWords } from './own-words';

const owner = { email: 'misty.waterflower@example.org', names: ['Misty W.', null, 'cerulean_gym'] };

describe('a password', () => {
  it.each([
    ['packwatch2026', 'packwatch'],
    ['PACKWATCH!!!!', 'packwatch'],
    ['packwatchpackwatch', 'packwatch'],
    ['P0k3m0n12345', 'pokemon'],
    ['Pokémon-2026', 'pokemon'],
    ['ｐｏｋｅｍｏｎ１２３４', 'pokemon'],
    ['p-o-k-e-m-o-n-1', 'pokemon'],
    ['p0kem0n1111111111', 'pokemon'],
    ['2024tr4ding.c4rds', 'tradingcard'],
    ['pokemontrainer1', 'pokemon'],
    ['co11ector99', 'collector'],
    ['misty123456', 'misty'],
    ['Waterflower7', 'waterflower'],
    ['cerulean_gym', 'ceruleangym'],
  ])('that is mostly an own word is refused: %s', (password, word) => {
    expect(findOwnWord(password, owner)).toBe(word);
  });

  it.each([
    'correct horse battery',
    'packwatch and some words',
    'misty mountains under snow',
    '1234567890',
    '💥'.repeat(10),
  ])('with enough other words is accepted: %s', (password) => {
    expect(findOwnWord(password, owner)).toBeNull();
  });

  it('is refused at its field, with an instruction', () => {
    expect(() => requireForeignWords('pokemon12345', { owner, field: 'newPassword' })).toThrowError(
      expect.objectContaining({
        kind: 'Invalid',
        code: 'own_word_password',
        fieldErrors: { newPassword: [expect.stringContaining('“pokemon” is easy to guess')] },
      }),
    );
  });
});
