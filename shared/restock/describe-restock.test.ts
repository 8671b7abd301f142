import { describe, expect, test } from 'vitest';
import { restockLink } from '../alerts/render-discord-message';
import { SHOP } from '../brand';
import { describeRestock, SHOWN_CHARACTERS } from './describe-restock';
import type { Product } from './find-product';

const WATCHED = 'https://shop.example/';

const of = (parameters: Record<string, string>) => describeRestock(new URLSearchParams(parameters), null);

test('an address without parameters gets the defaults', () => {
  expect(of({})).toEqual({
    name: 'PlayStation 5 Console',
    price: '£399.99',
    retailer: 'Argos',
    image: null,
    source: null,
    username: null,
    link: null,
  });
});

test('empty and invisible parameters count as missing', () => {
  expect(of({ name: '', price: '  \n ', retailer: '\u202e\u200b', source: '', username: '\u0000' })).toEqual(
    of({}),
  );
});

test.each(['\u3164', '\u115f\u1160', '\uffa0', '\u2800', '\u034f', ' \u3164 \u2800 ', '\u{e0100}'])(
  'invisible characters count as missing: %j',
  (nothing) => {
    expect(of({ name: nothing, price: nothing, retailer: nothing, username: nothing })).toEqual(of({}));
  },
);

test('harmless parameters are shown unchanged', () => {
  expect(
    of({
      name: 'Elite Trainer Box – Édition 日本語',
      price: '£54.99',
      retailer: 'Smyths',
      source: 'discord',
      username: 'Ash',
    }),
  ).toMatchObject({
    name: 'Elite Trainer Box – Édition 日本語',
    price: '£54.99',
    retailer: 'Smyths',
    source: 'discord',
    username: 'Ash',
  });
});

describe('a text', () => {
  test('keeps markup as text', () => {
    expect(of({ name: '<script>alert(1)</script>' }).name).toBe('<script>alert(1)</script>');
  });

  test('is one line without control and direction characters', () => {
    expect(of({ name: 'a\r\nb\tc\u0007d\u202egnp.exe\u2066\u2028e\u00ad' }).name).toBe('a b cdgnp.exe e');
  });

  test('has no stacked accents and no lone surrogates', () => {
    expect(of({ name: `z${'\u0335'.repeat(50)}` }).name).toBe('z\u0335\u0335');
    expect(describeRestock(new URLSearchParams('name=a%ED%A0%80b'), null).name).not.toMatch(/\p{Cs}/u);
  });

  test(`has at most ${SHOWN_CHARACTERS} characters, whole ones`, () => {
    expect(of({ name: 'n'.repeat(120) }).name).toBe('n'.repeat(120));
    expect(of({ name: 'n'.repeat(121) }).name).toBe(`${'n'.repeat(119)}…`);
    expect([...(of({ username: '🎴'.repeat(10_000) }).username ?? '')]).toHaveLength(120);
  });
});

describe('an image', () => {
  test.each([
    'https://cdn.example/box.png',
    'HTTPS://CDN.example/box.png?size=2#top',
    'https://cdn.example:8443/box.png',
  ])('is taken from %s', (image) => {
    expect(of({ image }).image).toBe(new URL(image).href);
  });

  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' https://cdn.example/box.png',
    'data:image/png;base64,iVBORw0KGgo=',
    'data:image/svg+xml,<svg onload=alert(1)>',
    'blob:https://cdn.example/1',
    'http://cdn.example/box.png',
    '//cdn.example/box.png',
    '/uploads/a/b.png',
    'box.png',
    'https:cdn.example/box.png',
    'https:/cdn.example/box.png',
    'https:\\\\cdn.example\\box.png',
    'https://',
    'https://ash:pikachu@cdn.example/box.png',
    'https://ash@cdn.example/box.png',
    'https://cdn example/box.png',
    'ftp://cdn.example/box.png',
    'file:///etc/passwd',
    `https://cdn.example/${'a'.repeat(3_000)}.png`,
    'https://192.168.1.1/reboot',
    'https://0x7f.1:8443/box.png',
    'https://[::ffff:10.0.0.1]/box.png',
    'https://localhost/box.png',
    'https://router.local/box.png',
    'https://router/box.png',
    '',
  ])('is never taken from %s', (image) => {
    expect(of({ image }).image).toBeNull();
  });
});

describe('a stored record', () => {
  const product: Product = {
    name: 'Pokemon Center UK waiting room',
    price: 'See the shop',
    retailer: 'Pokemon Center UK',
    link: WATCHED,
    watch: { id: SHOP.slug, slug: SHOP.slug, title: SHOP.name },
  };

  test('takes precedence over the parameters', () => {
    const parameters = new URLSearchParams({
      name: 'Free cards',
      price: '£0.01',
      retailer: 'Evil',
      image: 'https://evil.example/fake.png',
      source: 'discord',
    });
    expect(describeRestock(parameters, product)).toEqual({
      name: 'Pokemon Center UK waiting room',
      price: 'See the shop',
      retailer: 'Pokemon Center UK',
      image: null,
      source: 'discord',
      username: null,
      link: WATCHED,
    });
  });

  test('has the values of the alert’s link', () => {
    const { searchParams } = new URL(restockLink('https://packwatch.example'));
    expect(describeRestock(searchParams, null)).toEqual({
      ...describeRestock(searchParams, product),
      link: null,
    });
  });
});
