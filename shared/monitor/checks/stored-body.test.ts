import { describe, expect, it } from 'vitest';
import { firstBytes, RAW_RESPONSE_LIMIT } from './stored-body.server';

const cut = (text: string, limit: number) => Buffer.from(firstBytes(text, limit)).toString('utf8');

describe('the stored part of a page', () => {
  it('is measured in bytes of UTF-8', () => {
    expect(RAW_RESPONSE_LIMIT).toBe(102_400);
    expect(cut('x'.repeat(200_000), RAW_RESPONSE_LIMIT)).toHaveLength(102_400);
    expect(cut('é'.repeat(200_000), RAW_RESPONSE_LIMIT)).toHaveLength(51_200);
    expect(Buffer.byteLength(cut('ポ'.repeat(200_000), RAW_RESPONSE_LIMIT))).toBe(102_399);
  });

  it.each([
    ['ab', 1, 'a'],
    ['aé', 2, 'a'],
    ['aé', 3, 'aé'],
    ['a£', 2, 'a'],
    ['ポケ', 5, 'ポ'],
    ['a🎴b', 4, 'a'],
    ['a🎴b', 5, 'a🎴'],
    ['', 5, ''],
  ])('never ends inside a character: %j in %i bytes', (text, limit, kept) => {
    expect(cut(text, limit)).toBe(kept);
  });

  it('replaces lone surrogates, which UTF-8 cannot encode', () => {
    expect(cut('a\ud83c', 10)).toBe('a\ufffd');
    expect(cut('a\ud83c', 2)).toBe('a');
  });
});
