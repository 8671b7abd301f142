/** A product of Tanglewood Cards, the fictional shop. */
export interface Product {
  slug: string;
  name: string;
  pence: number;
  category: string;
  blurb: string;
}

export const CATEGORIES = [
  { slug: 'new-releases', name: 'New releases' },
  { slug: 'booster-boxes', name: 'Booster boxes' },
  { slug: 'starter-decks', name: 'Starter decks' },
  { slug: 'tins-and-gifts', name: 'Tins & gifts' },
  { slug: 'sleeves-and-binders', name: 'Sleeves & binders' },
  { slug: 'posters', name: 'Posters' },
] as const;

const LINES: readonly [slug: string, name: string, pence: number, category: string, blurb: string][] = [
  [
    'ember-hollow-booster-box',
    'Ember Hollow booster box (24 packs)',
    9_600,
    'booster-boxes',
    'Sealed, second printing.',
  ],
  [
    'ember-hollow-collector-chest',
    'Ember Hollow collector chest',
    4_999,
    'new-releases',
    'Eight packs, a coin and a storage chest.',
  ],
  [
    'saltmarsh-tides-booster-bundle',
    'Saltmarsh Tides booster bundle',
    2_499,
    'booster-boxes',
    'Six packs from the coastal set.',
  ],
  [
    'saltmarsh-tides-starter',
    'Saltmarsh Tides starter deck',
    1_499,
    'starter-decks',
    'Sixty cards, ready to play.',
  ],
  [
    'clockwork-garden-starter',
    'Clockwork Garden two-player set',
    2_999,
    'starter-decks',
    'Two decks and a paper mat.',
  ],
  [
    'winter-lantern-tin',
    'Winter Lantern gift tin',
    1_999,
    'tins-and-gifts',
    'Four packs in an embossed tin.',
  ],
  ['moonmoth-mini-tin', 'Moonmoth mini tin', 899, 'tins-and-gifts', 'Two packs and a sticker sheet.'],
  [
    'nine-pocket-binder',
    'Nine-pocket binder, forest green',
    1_799,
    'sleeves-and-binders',
    'Holds 360 cards, side loading.',
  ],
  [
    'matte-sleeves-100',
    'Matte sleeves, pack of 100',
    849,
    'sleeves-and-binders',
    'Standard size, acid free.',
  ],
  ['card-dividers', 'Linen card dividers', 499, 'sleeves-and-binders', 'Twelve dividers with tabs.'],
  [
    'poster-the-waiting-room',
    'Art print: The Waiting Room',
    1_250,
    'posters',
    'A3 print by a Tanglewood artist.',
  ],
  ['poster-a-place-in-line', 'Art print: A Place in Line', 1_250, 'posters', 'A3 print, companion piece.'],
];

export const PRODUCTS: readonly Product[] = LINES.map(([slug, name, pence, category, blurb]) => ({
  slug,
  name,
  pence,
  category,
  blurb,
}));

export interface NewsItem {
  slug: string;
  title: string;
  paragraphs: readonly string[];
}

/** News about queues: the monitor must not mistake such a page for a waiting room. */
export const NEWS: readonly NewsItem[] = [
  {
    slug: 'how-our-virtual-queue-works',
    title: 'How our virtual queue works',
    paragraphs: [
      'On busy release days we place visitors in a waiting room. You are given a place in line and an estimated wait time, and you keep it as long as you keep the page open.',
      'There is no queue today. When one opens, you will see it the moment you visit the shop.',
    ],
  },
  {
    slug: 'ember-hollow-second-printing',
    title: 'Ember Hollow: the second printing is here',
    paragraphs: [
      'The second printing of Ember Hollow has reached our warehouse. Boxes and chests are limited to two per household.',
      'Orders placed before two in the afternoon leave us the same day.',
    ],
  },
];

export function formatPrice(pence: number): string {
  return `£${(pence / 100).toFixed(2)}`;
}
