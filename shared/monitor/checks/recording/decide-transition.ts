import { HOUR, MINUTE } from '../../../clock';
import type { Strength, Verdict } from '../verdict';

/** A new sign this soon after closing continues the same alert. */
const REOPEN_WITHIN_MS = 5 * MINUTE;
/** A waiting room that is still open after a longer time without a check (stop, outage) is a new event. */
const RESUME_WITHIN_MS = 6 * HOUR;
/** A weak sign that was neither confirmed nor refuted for this long no longer counts. */
export const WEAK_SIGN_LIFETIME_MS = 3 * MINUTE;
/** So many conclusive checks in a row that no longer see what an alert announced close it. */
export const NEGATIVES_TO_CLOSE = 2;

/** The state before the check, with ages in milliseconds at the moment of the verdict. */
export interface BeforeCheck {
  alert:
    | { kind: 'none' }
    | { kind: 'open' }
    | { kind: 'suspended'; forMs: number }
    | { kind: 'closed'; forMs: number };
  /** Age of a weak sign that waits to be confirmed. */
  weakForMs: number | null;
  opensInRow: number;
  /** False when monitoring was stopped while this check ran: it is recorded, but opens no alert. */
  mayOpen: boolean;
}

export interface CheckVerdict {
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

/** Whether a span is at most `mostMs`. A negative one is not: the clock was set back since. */
export const isWithin = (spanMs: number, mostMs: number): boolean => spanMs >= 0 && spanMs <= mostMs;

/** When a live alert was last confirmed, as of the present check. All in epoch ms. */
export interface LastLook {
  seenAt: number;
  /** Whether the waiting room was seen inside the monitoring hours. */
  seenWithinHours: boolean;
  /** The start of the monitoring window that the check is in; null outside the hours. */
  windowStart: number | null;
  now: number;
}

/**
 * Whether a live alert can no longer be continued, because nothing is known of its waiting room since:
 *
 * | last seen                                   | check                     | stale |
 * |---------------------------------------------|---------------------------|-------|
 * | in this window, up to 6 hours ago           | any                       | no    |
 * | in an earlier window                        | in the hours              | yes   |
 * | in the hours                                | by hand, after their end  | no, up to 6 hours |
 * | by hand, outside the hours                  | any                       | no, up to 6 hours |
 * | more than 6 hours ago                       | any                       | yes   |
 * | in the future (the clock was set back)      | any                       | no    |
 */
export function isStale({ seenAt, seenWithinHours, windowStart, now }: LastLook): boolean {
  if (now - seenAt > RESUME_WITHIN_MS) return true;
  return seenWithinHours && windowStart !== null && seenAt < windowStart;
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
 * A weak sign is confirmed by a second room sign of any strength within three minutes. A live alert that is stale
 * (`isStale`) is closed before this decision, which then sees none. A span is negative when the clock was set back since:
 * how long ago it really was is not known, so a paused or closed alert is not continued and a new one opens.
 */
export function decideTransition(before: BeforeCheck, seen: CheckVerdict): Decision {
  const { alert, opensInRow, mayOpen } = before;
  const weakPending = before.weakForMs !== null && isWithin(before.weakForMs, WEAK_SIGN_LIFETIME_MS);

  if (seen.verdict === 'unknown') return { action: 'none', opensInRow, weak: weakPending ? 'keep' : 'clear' };

  if (seen.verdict === 'open') {
    const opens = Math.min(opensInRow + 1, NEGATIVES_TO_CLOSE);
    const live = alert.kind === 'open' || alert.kind === 'suspended';
    return {
      action: live && opens >= NEGATIVES_TO_CLOSE ? 'close' : 'none',
      opensInRow: opens,
      weak: 'clear',
    };
  }

  if (alert.kind === 'open') return { action: 'keep', opensInRow: 0, weak: 'clear' };
  if (!mayOpen) return { action: 'none', opensInRow: 0, weak: 'clear' };
  if (alert.kind === 'suspended' && isWithin(alert.forMs, RESUME_WITHIN_MS))
    return { action: 'resume', opensInRow: 0, weak: 'clear' };

  const confirmed = seen.strength === 'strong' || weakPending;
  if (!confirmed) return { action: 'recheck', opensInRow: 0, weak: 'begin' };
  const continues = alert.kind === 'closed' && isWithin(alert.forMs, REOPEN_WITHIN_MS);
  return { action: continues ? 'reopen' : 'open', opensInRow: 0, weak: 'clear' };
}
