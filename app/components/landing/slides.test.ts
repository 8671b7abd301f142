import { expect, test } from 'vitest';
import type { Story } from '~/components/news/story';
import { listSlides } from './slides';

const ALL_ON = {
  newsSlideEnabled: true,
  discordSlideEnabled: true,
  checkoutSlideEnabled: true,
  trackingSetsEnabled: true,
};
const ALL_OFF = {
  newsSlideEnabled: false,
  discordSlideEnabled: false,
  checkoutSlideEnabled: false,
  trackingSetsEnabled: false,
};

const set = (id: string, order: number, enabled = true) => ({
  id,
  name: `Set ${id}`,
  imageUrl: `/uploads/${id}/800.webp`,
  enabled,
  order,
});
const SETS = { enabled: true, trackingSets: [set('a', 1), set('off', 2, false), set('b', 3)] };
const NEWEST = { id: 'n1', title: 'News' } as Story;

const keys = (input: Parameters<typeof listSlides>[0]) => listSlides(input).map(({ key }) => key);

test('with everything enabled: the article, the alert, the checkout, then the enabled sets in order', () => {
  expect(keys({ heroSlides: ALL_ON, trackingSets: SETS, newest: NEWEST })).toEqual([
    'news',
    'community',
    'checkout',
    'tracking-a',
    'tracking-b',
  ]);
});

test('with everything disabled there are no slides', () => {
  expect(keys({ heroSlides: ALL_OFF, trackingSets: SETS, newest: NEWEST })).toEqual([]);
});

test('each switch controls its own slide', () => {
  const only = (name: keyof typeof ALL_OFF) =>
    keys({ heroSlides: { ...ALL_OFF, [name]: true }, trackingSets: SETS, newest: NEWEST });
  expect(only('newsSlideEnabled')).toEqual(['news']);
  expect(only('discordSlideEnabled')).toEqual(['community']);
  expect(only('checkoutSlideEnabled')).toEqual(['checkout']);
  expect(only('trackingSetsEnabled')).toEqual(['tracking-a', 'tracking-b']);
});

test('without an article there is no news slide', () => {
  expect(keys({ heroSlides: ALL_ON, trackingSets: { ...SETS, trackingSets: [] }, newest: null })).toEqual([
    'community',
    'checkout',
  ]);
});

test('the image of a tracking set has all of its variants', () => {
  const one = { ...set('a', 1), imageUrl: '/uploads/a/1200.webp' };
  const small = { ...set('b', 2), imageUrl: '/uploads/b/300.webp' };
  const slides = listSlides({
    heroSlides: { ...ALL_OFF, trackingSetsEnabled: true },
    trackingSets: { enabled: true, trackingSets: [one, small] },
    newest: null,
  });
  expect(slides).toMatchObject([
    {
      imageUrl: '/uploads/a/1200.webp',
      srcSet:
        '/uploads/a/240.webp 240w, /uploads/a/480.webp 480w, /uploads/a/960.webp 960w, /uploads/a/1200.webp 1200w',
    },
    { imageUrl: '/uploads/b/300.webp', srcSet: undefined },
  ]);
});

test('tracking sets need both switches', () => {
  const off = { ...SETS, enabled: false };
  expect(
    keys({ heroSlides: { ...ALL_OFF, trackingSetsEnabled: true }, trackingSets: off, newest: null }),
  ).toEqual([]);
});
