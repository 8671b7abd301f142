import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../../clock';
import type { Availability } from '../verdict';
import type { Action } from './decide-transition';
import {
  decideRestock,
  isBuyable,
  type BeforeRestock,
  type RestockDecision,
  type RestockKind,
  type SeenOffer,
} from './decide-restock';

const strong = (availability: Availability): SeenOffer => ({ availability, strength: 'strong' });
const weak = (availability: Availability): SeenOffer => ({ availability, strength: 'weak' });
const inStock = strong('in_stock');
const out = strong('out_of_stock');
const preorder = strong('preorder');
const unknown: SeenOffer = { availability: 'unknown', strength: null };

const START: BeforeRestock = {
  alert: { kind: 'none' },
  weakForMs: null,
  weakAvailability: null,
  opensInRow: 0,
  mayOpen: true,
  availability: 'out_of_stock',
  kind: null,
  trickling: false,
  reopenedForMs: [],
  unseenForMs: null,
};

type Before = Partial<BeforeRestock>;
const open = (kind: RestockKind, rest: Before = {}): Before => ({
  alert: { kind: 'open' },
  kind,
  availability: kind === 'restock' ? 'in_stock' : 'preorder',
  unseenForMs: MINUTE,
  ...rest,
});
const suspended = (forMs: number, kind: RestockKind = 'restock'): Before => ({
  ...open(kind),
  alert: { kind: 'suspended', forMs },
});
const closed = (forMs: number, rest: Before = {}): Before => ({
  alert: { kind: 'closed', forMs },
  kind: 'restock',
  unseenForMs: forMs,
  ...rest,
});
const doubted = (weakAvailability: Availability, forMs = 10 * SECOND): Before => ({
  weakForMs: forMs,
  weakAvailability,
});

const rows: [name: string, Before, SeenOffer, Action, Partial<RestockDecision>?][] = [
  // The first conclusive check.
  [
    'the first check opens nothing for stock',
    { availability: null },
    inStock,
    'none',
    { availability: 'in_stock' },
  ],
  [
    'nor for weak stock',
    { availability: null },
    weak('limited'),
    'none',
    { availability: 'limited', weak: 'clear' },
  ],
  ['nor for a pre-order', { availability: null }, preorder, 'none', { availability: 'preorder' }],
  ['nor without stock', { availability: null }, out, 'none', { availability: 'out_of_stock' }],
  ['an unknown first check settles nothing', { availability: null }, unknown, 'none', { availability: null }],
  // Opening.
  ['strong stock opens at once', {}, inStock, 'open', { kind: 'restock', availability: 'in_stock' }],
  ['the last few open as well', {}, strong('limited'), 'open', { kind: 'restock', availability: 'limited' }],
  ['stock after a pre-order opens', { availability: 'preorder' }, inStock, 'open', { kind: 'restock' }],
  ['a pre-order opens an alert of its own kind', {}, preorder, 'open', { kind: 'preorder' }],
  [
    'a pre-order after stock is no news',
    { availability: 'in_stock' },
    preorder,
    'none',
    { availability: 'preorder' },
  ],
  ['a pre-order that stays is no news', { availability: 'preorder' }, preorder, 'none'],
  [
    'stock that stays is no news',
    { availability: 'in_stock' },
    strong('limited'),
    'none',
    { availability: 'limited' },
  ],
  ['no stock opens nothing', {}, out, 'none', { availability: 'out_of_stock' }],
  [
    'no stock after stock settles',
    { availability: 'in_stock' },
    out,
    'none',
    { availability: 'out_of_stock' },
  ],
  // Weak signs.
  [
    'weak stock is checked again',
    {},
    weak('in_stock'),
    'recheck',
    { weak: 'begin', availability: 'out_of_stock' },
  ],
  ['a weak pre-order is checked again', {}, weak('preorder'), 'recheck', { weak: 'begin' }],
  [
    'weak stock seen twice opens',
    doubted('in_stock'),
    weak('limited'),
    'open',
    { kind: 'restock', weak: 'clear' },
  ],
  ['strong stock after weak stock opens', doubted('in_stock'), inStock, 'open', { kind: 'restock' }],
  ['a weak pre-order does not confirm weak stock', doubted('preorder'), weak('in_stock'), 'recheck'],
  ['weak stock does not confirm a weak pre-order', doubted('in_stock'), weak('preorder'), 'recheck'],
  ['an old weak sign confirms nothing', doubted('in_stock', 4 * MINUTE), weak('in_stock'), 'recheck'],
  ['a weak sign of the future confirms nothing', doubted('in_stock', -MINUTE), weak('in_stock'), 'recheck'],
  ['no stock refutes a weak sign', doubted('in_stock'), out, 'none', { weak: 'clear' }],
  [
    'an unknown keeps a weak sign',
    doubted('in_stock'),
    unknown,
    'none',
    { weak: 'keep', availability: 'out_of_stock' },
  ],
  ['an unknown drops an old weak sign', doubted('in_stock', 4 * MINUTE), unknown, 'none', { weak: 'clear' }],
  // An open alert.
  [
    'stock keeps the alert',
    open('restock', { opensInRow: 1 }),
    inStock,
    'keep',
    { opensInRow: 0, kind: 'restock' },
  ],
  ['weak stock keeps it too', open('restock'), weak('limited'), 'keep', { availability: 'limited' }],
  ['a pre-order keeps its alert', open('preorder'), weak('preorder'), 'keep', { kind: 'preorder' }],
  ['one miss closes nothing', open('restock'), out, 'none', { opensInRow: 1, availability: 'out_of_stock' }],
  ['a second miss closes', open('restock', { opensInRow: 1 }), out, 'close', { opensInRow: 2 }],
  [
    'a pre-order is a miss of a restock',
    open('restock', { opensInRow: 1 }),
    preorder,
    'close',
    { availability: 'preorder' },
  ],
  ['a pre-order alert closes after two misses', open('preorder', { opensInRow: 1 }), out, 'close'],
  ['an unknown counts as no miss', open('restock', { opensInRow: 1 }), unknown, 'none', { opensInRow: 1 }],
  [
    'an unknown closes nothing',
    open('restock'),
    unknown,
    'none',
    { opensInRow: 0, availability: 'in_stock' },
  ],
  ['stock replaces a pre-order alert', open('preorder'), inStock, 'open', { kind: 'restock' }],
  [
    'weak stock beside a pre-order alert is checked again',
    open('preorder'),
    weak('in_stock'),
    'recheck',
    { availability: 'preorder' },
  ],
  // A suspended alert.
  [
    'stock resumes a suspended alert',
    suspended(HOUR),
    weak('in_stock'),
    'resume',
    { kind: 'restock', opensInRow: 0 },
  ],
  ['a pre-order resumes its alert', suspended(HOUR, 'preorder'), preorder, 'resume', { kind: 'preorder' }],
  ['a suspended alert stays after one miss', suspended(HOUR), out, 'none', { opensInRow: 1 }],
  ['a suspended alert closes after two', { ...suspended(HOUR), opensInRow: 1 }, out, 'close'],
  [
    'stock replaces a suspended pre-order alert',
    suspended(HOUR, 'preorder'),
    inStock,
    'open',
    { kind: 'restock' },
  ],
  // A closed alert.
  [
    'stock within 15 minutes reopens',
    closed(15 * MINUTE),
    inStock,
    'reopen',
    { kind: 'restock', trickling: false },
  ],
  ['stock later opens a new alert', closed(15 * MINUTE + 1), inStock, 'open', { kind: 'restock' }],
  ['an alert that closed in the future is not reopened', closed(-SECOND), inStock, 'open'],
  ['weak stock after closing is checked again', closed(MINUTE), weak('in_stock'), 'recheck'],
  ['confirmed weak stock reopens', closed(MINUTE, doubted('in_stock')), weak('in_stock'), 'reopen'],
  [
    'a pre-order alert does not become a restock',
    closed(MINUTE, { kind: 'preorder' }),
    inStock,
    'open',
    { kind: 'restock' },
  ],
  [
    'a pre-order within 15 minutes reopens its alert',
    closed(MINUTE, { kind: 'preorder' }),
    preorder,
    'reopen',
    { kind: 'preorder' },
  ],
  ['a pre-order after a restock alert is new', closed(MINUTE), preorder, 'open', { kind: 'preorder' }],
  // Trickling.
  [
    'the second reopening is not trickling',
    closed(MINUTE, { reopenedForMs: [9 * MINUTE] }),
    inStock,
    'reopen',
    { trickling: false },
  ],
  [
    'the third within the hour is',
    closed(MINUTE, { reopenedForMs: [59 * MINUTE, 9 * MINUTE] }),
    inStock,
    'reopen',
    { trickling: true },
  ],
  [
    'a reopening older than an hour does not count',
    closed(MINUTE, { reopenedForMs: [61 * MINUTE, 9 * MINUTE] }),
    inStock,
    'reopen',
    { trickling: false },
  ],
  [
    'a trickling alert stays open without stock',
    open('restock', { trickling: true, opensInRow: 2, unseenForMs: 30 * MINUTE }),
    out,
    'none',
    { trickling: true, opensInRow: 2 },
  ],
  [
    'and closes after 30 minutes',
    open('restock', { trickling: true, opensInRow: 2, unseenForMs: 30 * MINUTE + 1 }),
    out,
    'close',
  ],
  [
    'it needs two misses even then',
    open('restock', { trickling: true, unseenForMs: HOUR }),
    out,
    'none',
    { opensInRow: 1 },
  ],
  [
    'it stays trickling when it reopens',
    closed(MINUTE, { trickling: true }),
    inStock,
    'reopen',
    { trickling: true },
  ],
  ['a new alert is not trickling', closed(HOUR, { trickling: true }), inStock, 'open', { trickling: false }],
  // Stopped while the check ran.
  [
    'stock is not settled while stopped',
    { mayOpen: false },
    inStock,
    'none',
    { availability: 'out_of_stock', weak: 'clear' },
  ],
  [
    'a suspended alert waits while stopped',
    { ...suspended(MINUTE), mayOpen: false },
    inStock,
    'none',
    { availability: 'in_stock' },
  ],
  [
    'a closed alert waits while stopped',
    closed(MINUTE, { mayOpen: false }),
    inStock,
    'none',
    { availability: 'out_of_stock' },
  ],
];

describe('decideRestock', () => {
  it.each(rows)('%s', (_name, before, seen, action, rest = {}) => {
    expect(decideRestock({ ...START, ...before }, seen)).toMatchObject({ action, ...rest });
  });
});

/** Runs checks one after the other, as the recorder does. Returns the actions. */
function play(steps: readonly [minute: number, SeenOffer][], first: Before = {}): string[] {
  let state: BeforeRestock = { ...START, ...first };
  let closedAt = 0;
  let seenAt: number | null = null;
  let weakAt: number | null = null;
  let reopenedAt: number[] = [];
  return steps.map(([minute, seen]) => {
    const now = minute * MINUTE;
    const { alert } = state;
    const decision = decideRestock(
      {
        ...state,
        alert: alert.kind === 'closed' ? { kind: 'closed', forMs: now - closedAt } : alert,
        weakForMs: weakAt === null ? null : now - weakAt,
        reopenedForMs: reopenedAt.map((at) => now - at),
        unseenForMs: seenAt === null ? null : now - seenAt,
      },
      seen,
    );
    const { action } = decision;
    if (action === 'close') closedAt = now;
    if (action === 'open') reopenedAt = [];
    if (action === 'reopen') reopenedAt.push(now);
    if (['open', 'reopen', 'resume', 'keep'].includes(action)) seenAt = now;
    weakAt = decision.weak === 'begin' ? now : decision.weak === 'keep' ? weakAt : null;
    state = {
      ...state,
      ...decision,
      kind: decision.kind ?? state.kind,
      alert:
        action === 'close' ? { kind: 'closed', forMs: 0 } : decision.kind === null ? alert : { kind: 'open' },
      weakAvailability: seen.availability,
    };
    return decision.kind === null
      ? action
      : `${action} ${decision.kind}${decision.trickling ? ' trickling' : ''}`;
  });
}

describe('sequences', () => {
  it('announces each restock once, over unknowns and single misses', () => {
    expect(
      play(
        [
          [0, out],
          [2, inStock],
          [4, unknown],
          [6, out],
          [8, inStock],
          [10, unknown],
          [12, out],
          [14, unknown],
          [16, out],
          [40, inStock],
        ],
        { availability: null },
      ),
    ).toEqual([
      'none',
      'open restock',
      'none',
      'none',
      'keep restock',
      'none',
      'none',
      'none',
      'close',
      'open restock',
    ]);
  });

  it('posts once for stock that comes and goes by the unit', () => {
    const cycle = (minute: number): [number, SeenOffer][] => [
      [minute, inStock],
      [minute + 2, out],
      [minute + 4, out],
    ];
    const actions = play([0, 8, 16, 24, 32, 40, 48].flatMap(cycle));
    expect(actions.filter((action) => action.startsWith('open'))).toHaveLength(1);
    expect(actions.filter((action) => action.startsWith('reopen'))).toEqual([
      'reopen restock',
      'reopen restock',
      'reopen restock trickling',
    ]);
    expect(actions.filter((action) => action === 'close')).toHaveLength(3);
  });

  it('ends a trickling alert half an hour after the last unit', () => {
    const cycle = (minute: number): [number, SeenOffer][] => [
      [minute, inStock],
      [minute + 2, out],
      [minute + 4, out],
    ];
    const later = [40, 50, 54, 58].map((minute): [number, SeenOffer] => [minute, out]);
    const actions = play([...[0, 8, 16, 24].flatMap(cycle), ...later]);
    expect(actions.slice(-4)).toEqual(['none', 'none', 'none', 'close']);
    expect(actions.filter((action) => action === 'close')).toHaveLength(4);
  });

  it('goes from a pre-order to stock in two alerts', () => {
    expect(
      play([
        [0, weak('preorder')],
        [0.2, weak('preorder')],
        [2, preorder],
        [4, weak('in_stock')],
        [4.2, weak('in_stock')],
        [6, inStock],
        [8, preorder],
        [10, preorder],
        [12, out],
        [14, preorder],
      ]),
    ).toEqual([
      'recheck',
      'open preorder',
      'keep preorder',
      'recheck',
      'open restock',
      'keep restock',
      'none',
      'close',
      'none',
      'open preorder',
    ]);
  });

  it('needs a second look at a single weak sign, however the checks between them end', () => {
    expect(
      play([
        [0, weak('in_stock')],
        [0.2, out],
        [2, weak('in_stock')],
        [6, weak('in_stock')],
        [6.2, weak('in_stock')],
      ]),
    ).toEqual(['recheck', 'none', 'recheck', 'recheck', 'open restock']);
  });
});

const ALL: Availability[] = ['in_stock', 'limited', 'preorder', 'out_of_stock', 'unknown'];

it('never opens or reopens for what is not buyable, nor posts from an unknown', () => {
  const befores: Before[] = [
    ...[null, ...ALL.filter((one) => one !== 'unknown')].map((availability) => ({ availability })),
    open('restock'),
    open('preorder'),
    suspended(MINUTE),
    suspended(MINUTE, 'preorder'),
    closed(MINUTE),
    closed(HOUR),
    closed(MINUTE, { kind: 'preorder' }),
  ].flatMap((before) => [before, { ...before, opensInRow: 1 }, { ...before, ...doubted('in_stock') }]);
  for (const before of befores)
    for (const availability of ALL)
      for (const strength of ['strong', 'weak'] as const) {
        const seen = { availability, strength: availability === 'unknown' ? null : strength };
        const { action, kind } = decideRestock({ ...START, ...before }, seen);
        if (['open', 'reopen', 'resume', 'keep'].includes(action))
          expect(kind).toBe(isBuyable(availability) ? 'restock' : 'preorder');
        else expect(kind).toBeNull();
        if (availability === 'unknown' || availability === 'out_of_stock')
          expect(['none', 'close']).toContain(action);
      }
});
