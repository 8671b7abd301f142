import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../../clock';
import {
  decideTransition,
  isStale,
  type Action,
  type BeforeCheck,
  type Decision,
  type CheckVerdict,
} from './decide-transition';

const strong: CheckVerdict = { verdict: 'waiting_room', strength: 'strong' };
const weak: CheckVerdict = { verdict: 'waiting_room', strength: 'weak' };
const open: CheckVerdict = { verdict: 'open', strength: null };
const unknown: CheckVerdict = { verdict: 'unknown', strength: null };

const none = { kind: 'none' } as const;
const live = { kind: 'open' } as const;
const paused = (forMs: number) => ({ kind: 'suspended', forMs }) as const;
const closed = (forMs: number) => ({ kind: 'closed', forMs }) as const;

type Row = [
  name: string,
  before: Partial<BeforeCheck>,
  seen: CheckVerdict,
  action: Action,
  rest?: Partial<Decision>,
];

const table: Row[] = [
  ['a strong sign opens at once', { alert: none }, strong, 'open', { weak: 'clear', opensInRow: 0 }],
  ['a weak sign is checked again first', { alert: none }, weak, 'recheck', { weak: 'begin' }],
  ['a weak sign seen twice opens', { alert: none, weakForMs: 10 * SECOND }, weak, 'open', { weak: 'clear' }],
  ['a strong sign confirms a weak one', { alert: none, weakForMs: 10 * SECOND }, strong, 'open'],
  [
    'an old weak sign confirms nothing',
    { alert: none, weakForMs: 4 * MINUTE },
    weak,
    'recheck',
    { weak: 'begin' },
  ],
  [
    'an open shop refutes a weak sign',
    { alert: none, weakForMs: 10 * SECOND },
    open,
    'none',
    { weak: 'clear' },
  ],
  [
    'an unknown neither confirms nor refutes a weak sign',
    { alert: none, weakForMs: 10 * SECOND },
    unknown,
    'none',
    { weak: 'keep' },
  ],
  [
    'an unknown drops an old weak sign',
    { alert: none, weakForMs: 4 * MINUTE },
    unknown,
    'none',
    { weak: 'clear' },
  ],
  ['an unknown opens nothing', { alert: none }, unknown, 'none'],
  [
    'a room that is still there keeps the alert',
    { alert: live, opensInRow: 1 },
    strong,
    'keep',
    { opensInRow: 0 },
  ],
  [
    'a weak sign keeps an open alert as well',
    { alert: live, opensInRow: 1 },
    weak,
    'keep',
    { opensInRow: 0 },
  ],
  ['one open verdict does not close', { alert: live }, open, 'none', { opensInRow: 1 }],
  ['two open verdicts in a row close', { alert: live, opensInRow: 1 }, open, 'close', { opensInRow: 2 }],
  [
    'an unknown between two open verdicts does not break the row',
    { alert: live, opensInRow: 1 },
    unknown,
    'none',
    { opensInRow: 1 },
  ],
  ['an unknown never closes', { alert: live }, unknown, 'none', { opensInRow: 0 }],
  [
    'a new sign within five minutes continues the alert',
    { alert: closed(5 * MINUTE), opensInRow: 2 },
    strong,
    'reopen',
    { opensInRow: 0 },
  ],
  ['a weak sign after closing is checked again', { alert: closed(MINUTE) }, weak, 'recheck'],
  [
    'a confirmed weak sign after closing continues the alert',
    { alert: closed(MINUTE), weakForMs: 9 * SECOND },
    weak,
    'reopen',
  ],
  ['a sign after more than five minutes is a new alert', { alert: closed(5 * MINUTE + 1) }, strong, 'open'],
  ['a short pause continues the alert', { alert: paused(20 * MINUTE) }, strong, 'resume'],
  ['a short pause continues the alert on a weak sign too', { alert: paused(20 * MINUTE) }, weak, 'resume'],
  ['a room after a night is a new alert', { alert: paused(12 * HOUR) }, strong, 'open'],
  ['a weak sign after a night is checked again', { alert: paused(12 * HOUR) }, weak, 'recheck'],
  [
    'a paused alert closes after two open verdicts',
    { alert: paused(12 * HOUR), opensInRow: 1 },
    open,
    'close',
  ],
  [
    'a paused alert stays after one open verdict',
    { alert: paused(12 * HOUR) },
    open,
    'none',
    { opensInRow: 1 },
  ],
  ['a paused alert stays after an unknown', { alert: paused(MINUTE) }, unknown, 'none'],
  ['nothing opens when stop came during the check', { alert: none, mayOpen: false }, strong, 'none'],
  ['nothing resumes when stop came during the check', { alert: paused(0), mayOpen: false }, strong, 'none'],
  ['nothing reopens when stop came during the check', { alert: closed(0), mayOpen: false }, strong, 'none'],
  [
    'an open shop with no alert changes nothing',
    { alert: none, opensInRow: 2 },
    open,
    'none',
    { opensInRow: 2 },
  ],
];

describe('whether a check opens, keeps or closes an alert', () => {
  it.each(table)('%s', (_name, before, seen, action, rest = {}) => {
    const decision = decideTransition(
      { alert: none, weakForMs: null, opensInRow: 0, mayOpen: true, ...before },
      seen,
    );
    expect(decision).toMatchObject({ action, ...rest });
  });

  it('never alerts twice for one room, whatever unknown verdicts are in between', () => {
    let before: BeforeCheck = { alert: none, weakForMs: null, opensInRow: 0, mayOpen: true };
    const actions = [strong, unknown, strong, unknown, weak, unknown, strong].map((seen) => {
      const decision = decideTransition(before, seen);
      before = {
        ...before,
        opensInRow: decision.opensInRow,
        alert: decision.action === 'open' ? live : before.alert,
      };
      return decision.action;
    });
    expect(actions.filter((action) => action === 'open')).toHaveLength(1);
  });
});

describe('a clock that was set back since', () => {
  it.each<[string, Partial<BeforeCheck>, CheckVerdict, Action]>([
    ['a room after a closed alert is a new alert', { alert: closed(-30 * MINUTE) }, strong, 'open'],
    ['a room after a suspended alert is a new alert', { alert: paused(-HOUR) }, strong, 'open'],
    ['a weak sign confirms none of the future', { alert: none, weakForMs: -MINUTE }, weak, 'recheck'],
  ])('%s', (_, before, seen, action) => {
    const all = { alert: none, weakForMs: null, opensInRow: 0, mayOpen: true, ...before };
    expect(decideTransition(all, seen).action).toBe(action);
  });
});

describe('a live alert is stale', () => {
  const now = Date.parse('2026-11-25T09:30:00Z');
  const ago = (ms: number) => now - ms;
  const nine = Date.parse('2026-11-25T09:00:00Z');
  it.each<[string, Partial<Parameters<typeof isStale>[0]>, boolean]>([
    ['after an outage over the night', { seenAt: ago(12 * HOUR) }, true],
    ['after a closed window of an hour', { seenAt: ago(HOUR) }, true],
    ['after six hours in one window', { seenAt: ago(6 * HOUR + 1), windowStart: ago(12 * HOUR) }, true],
    ['not when it was seen in the future', { seenAt: now + MINUTE }, false],
    ['not after an outage within the window', { seenAt: ago(20 * MINUTE) }, false],
    ['not after five hours in one window', { seenAt: ago(5 * HOUR), windowStart: ago(12 * HOUR) }, false],
    ['not for a check by hand after the hours', { seenAt: ago(HOUR), windowStart: null }, false],
    [
      'not when a check by hand saw it before the hours',
      { seenAt: ago(HOUR), seenWithinHours: false },
      false,
    ],
    ['not in a window without an end', { seenAt: ago(5 * HOUR), windowStart: 0 }, false],
  ])('%s', (_, look, stale) => {
    expect(isStale({ seenWithinHours: true, windowStart: nine, now, seenAt: now, ...look })).toBe(stale);
  });
});
