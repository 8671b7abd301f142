import { describe, expect, test } from 'vitest';
import { decodeConsent, DEFAULT_CONSENT, encodeConsent } from './consent';

describe('the consent cookie', () => {
  test('holds percent-encoded JSON and reads back as it was written', () => {
    const value = encodeConsent({ necessary: true, analytics: false, marketing: true });
    expect(value).toBe('%7B%22necessary%22%3Atrue%2C%22analytics%22%3Afalse%2C%22marketing%22%3Atrue%7D');
    expect(decodeConsent(value)).toEqual({ necessary: true, analytics: false, marketing: true });
  });

  test('necessary cookies stay enabled, whatever the cookie says', () => {
    const value = encodeURIComponent('{"necessary":false,"analytics":true,"marketing":true}');
    expect(decodeConsent(value)?.necessary).toBe(true);
  });

  test.each(['', 'yes', '%7B', '%E0%A4%A', 'null', '%5B%5D', '%7B%22analytics%22%3A%22true%22%7D'])(
    'an invalid value is not a choice: %s',
    (value) => expect(decodeConsent(value)).toBeNull(),
  );

  test('by default analytics is checked and marketing is not', () => {
    expect(DEFAULT_CONSENT).toEqual({ necessary: true, analytics: true, marketing: false });
  });
});
