import { HOUR, MINUTE } from '../../../clock';
import type { Strength, Verdict } from '../verdict';

/** A new sign this soon after closing continues the same alert. */
export const REOPEN_WITHIN_MS = 5 * MINUTE;
/** A waiting room that is still open after a longer pause (stop, or the night) is a new event. */
const RESUME_WITHIN_MS = 6 * HOUR;
/** A weak sign that was neither confirmed nor refuted for this long no longer counts. */
const WEAK_SIGN_LIFETIME_MS = 3 * MINUTE;
const OPENS_TO_CLOSE = 2;

/** The state before the check, with ages in milliseconds at the moment of the verdict. */
export interface BeforeCheck {
  alert:
    | { is: 'none' }
    | { is: 'open' }
    | { is: 'suspended'; forMs: number }
    | { is: 'closed'; forMs: number };
  /** Age of a weak sign that waits to be confirmed. */
  weakForMs: number | null;
  opensInRow: number;
  /** False when monitoring was stopped while this check ran: it is recorded, but opens no alert. */
  mayOpen: boolean;
}

export interface Seen {
  verdict: Verdict;
  strength: Strength | null;
}

export type Action =
  | 'none'
  /** Check again in about ten seconds. */
  | 'recheck'
  /** Open a new alert; a suspended one is closed first. */
  | 'open'
  /** Continue the alert that closed moments ago. */
  | 'reopen'
  /** Continue the suspended alert. */
  | 'resume'
  /** The alert is still open: only `last_seen_at` changes. */
  | 'keep'
  | 'close';

export interface Decision {
  action: Action;
  opensInRow: number;
  /** Whether a weak sign waits to be confirmed after this check. */
  weak: 'clear' | 'keep' | 'begin';
}

/**
 * Whether a check opens, keeps or closes an alert.
 *
 * | alert before        | seen               | and                      | action             |
 * |---------------------|--------------------|--------------------------|--------------------|
 * | any                 | unknown            |                          | none; opens and a recent weak sign unchanged |
 * | open                | room, any strength |                          | keep               |
 * | open or suspended   | open               | first in a row           | none, opens = 1    |
 * | open or suspended   | open               | second in a row          | close              |
 * | none or closed      | open               |                          | none, weak cleared |
 * | suspended           | room, any strength | paused up to 6 hours     | resume             |
 * | suspended           | strong, or weak confirmed | paused longer     | open (a new one)   |
 * | closed up to 5 min  | strong, or weak confirmed |                   | reopen             |
 * | closed longer, none | strong, or weak confirmed |                   | open               |
 * | not open            | weak, first        |                          | recheck            |
 * | not open            | room, any strength | stopped during the check | none               |
 *
 * A weak sign is confirmed by a second room sign of any strength within three minutes.
 */
export function decideTransition(before: BeforeCheck, seen: Seen): Decision {
  const { alert, opensInRow, mayOpen } = before;
  const weakPending = before.weakForMs !== null && before.weakForMs <= WEAK_SIGN_LIFETIME_MS;

  if (seen.verdict === 'unknown') return { action: 'none', opensInRow, weak: weakPending ? 'keep' : 'clear' };

  if (seen.verdict === 'open') {
    const opens = Math.min(opensInRow + 1, OPENS_TO_CLOSE);
    const live = alert.is === 'open' || alert.is === 'suspended';
    return { action: live && opens >= OPENS_TO_CLOSE ? 'close' : 'none', opensInRow: opens, weak: 'clear' };
  }

  if (alert.is === 'open') return { action: 'keep', opensInRow: 0, weak: 'clear' };
  if (!mayOpen) return { action: 'none', opensInRow: 0, weak: 'clear' };
  if (alert.is === 'suspended' && alert.forMs <= RESUME_WITHIN_MS)
    return { action: 'resume', opensInRow: 0, weak: 'clear' };

  const confirmed = seen.strength === 'strong' || weakPending;
  if (!confirmed) return { action: 'recheck', opensInRow: 0, weak: 'begin' };
  const continues = alert.is === 'closed' && alert.forMs <= REOPEN_WITHIN_MS;
  return { action: continues ? 'reopen' : 'open', opensInRow: 0, weak: 'clear' };
}
