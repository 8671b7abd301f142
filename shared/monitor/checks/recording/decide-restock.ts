import { HOUR, MINUTE } from '../../../clock';
import type { Availability, Strength } from '../verdict';
import {
  isWithin,
  NEGATIVES_TO_CLOSE,
  WEAK_SIGN_LIFETIME_MS,
  type BeforeCheck,
  type Decision,
} from './decide-transition';

/** Stock that returns this soon after its alert closed continues the same alert. */
export const RESTOCK_REOPEN_WITHIN_MS = 15 * MINUTE;
/** An alert that reopens this often within `TRICKLING_WITHIN_MS` is trickling: the shop adds single units. */
export const REOPENINGS_TO_TRICKLE = 3;
const TRICKLING_WITHIN_MS = HOUR;
/** A trickling alert closes after this long without stock. */
const TRICKLING_ENDS_AFTER_MS = 30 * MINUTE;

/** The subject of an offer's newest alert. */
export type RestockKind = 'restock' | 'preorder';

/** The state of an offer before a check, with ages in milliseconds at the moment of the verdict. */
export interface BeforeRestock extends BeforeCheck {
  /** The availability that the last checks settled; null before the first conclusive check. */
  availability: Exclude<Availability, 'unknown'> | null;
  /** The announcement of the unconfirmed weak sign (`weakForMs`); null without one. */
  weakAvailability: Availability | null;
  /** The subject of the newest alert; null without an alert. */
  kind: RestockKind | null;
  /** Whether the alert stays open while stock comes and goes. */
  trickling: boolean;
  /** How long ago each of the alert's last reopenings was. */
  reopenedForMs: readonly number[];
  /** How long ago the alert last saw what it announced; null without an alert. */
  unseenForMs: number | null;
}

export interface SeenOffer {
  availability: Availability;
  /** Null when the availability is unknown. */
  strength: Strength | null;
}

export interface RestockDecision extends Decision {
  /** The announcement of the alert that this decision opens, reopens, resumes or keeps; null when there is none. */
  kind: RestockKind | null;
  /** The settled availability after this check. An unconfirmed weak sign does not settle anything. */
  availability: BeforeRestock['availability'];
  /** Whether the alert is trickling from now on. */
  trickling: boolean;
}

/** Whether a visitor can buy it now. */
export const isBuyable = (availability: Availability | null): boolean =>
  availability === 'in_stock' || availability === 'limited';

/** The announcement for an availability; null for none. */
function announcementOf(availability: Availability | null): RestockKind | null {
  if (isBuyable(availability)) return 'restock';
  return availability === 'preorder' ? 'preorder' : null;
}

/**
 * Whether a check of an offer opens, keeps or closes an alert. "Wanted" is what the alert announced: stock, or a pre-order.
 * "Confirmed" is strong, or the second sign of its kind within three minutes.
 *
 * | settled before    | alert               | seen                 | and                      | action                    |
 * |-------------------|---------------------|----------------------|--------------------------|---------------------------|
 * | any               | any                 | unknown              |                          | none; misses, settled and a recent weak sign unchanged |
 * | nothing yet       | none                | anything             |                          | none; settled = seen      |
 * | any               | open                | wanted, any strength |                          | keep, misses = 0          |
 * | any               | suspended           | wanted, any strength |                          | resume, misses = 0        |
 * | any               | open or suspended   | not wanted           | first in a row           | none, misses = 1          |
 * | any               | open or suspended   | not wanted           | second in a row          | close                     |
 * | any               | open and trickling  | not wanted           | wanted up to 30 min ago  | none                      |
 * | any               | pre-order, live     | stock                | confirmed                | open `restock`; the pre-order alert closes |
 * | out or pre-order  | closed up to 15 min | stock                | confirmed, wanted        | reopen; trickling at the third within an hour |
 * | out               | closed up to 15 min | pre-order            | confirmed, wanted        | reopen                    |
 * | out or pre-order  | none or closed      | stock                | confirmed                | open `restock`            |
 * | out               | none or closed      | pre-order            | confirmed                | open `preorder`           |
 * | in stock          | none or closed      | stock or pre-order   |                          | none; settled = seen      |
 * | any               | none or closed      | out                  |                          | none; settled = out       |
 * | as for open       | as for open         | stock or pre-order   | weak, first              | recheck; settled unchanged |
 * | as for open, reopen or resume |         | stock or pre-order   | stopped during the check | none; settled unchanged   |
 *
 * The first conclusive check opens nothing: the product was there when we began to look. Negative spans (the clock was set
 * back) confirm and reopen nothing. A stale alert (`isStale`) is closed before this decision; stock that was there before
 * the pause and still is afterwards is no news.
 */
export function decideRestock(before: BeforeRestock, seen: SeenOffer): RestockDecision {
  const { alert, mayOpen } = before;
  const weakPending = before.weakForMs !== null && isWithin(before.weakForMs, WEAK_SIGN_LIFETIME_MS);
  const unchanged: RestockDecision = {
    action: 'none',
    opensInRow: before.opensInRow,
    weak: 'clear',
    kind: null,
    availability: before.availability,
    trickling: before.trickling,
  };
  if (seen.availability === 'unknown') return { ...unchanged, weak: weakPending ? 'keep' : 'clear' };

  const settled: RestockDecision = { ...unchanged, availability: seen.availability };
  const announced = announcementOf(seen.availability);
  const live = alert.kind === 'open' || alert.kind === 'suspended';

  if (live && announced !== null && announced === before.kind) {
    const continued = { ...settled, opensInRow: 0, kind: announced };
    if (alert.kind === 'open') return { ...continued, action: 'keep' };
    return mayOpen ? { ...continued, action: 'resume' } : unchanged;
  }

  if (announced !== null && isNews(announced, before, live)) {
    const waiting = { ...unchanged, opensInRow: 0 };
    if (!mayOpen) return waiting;
    const confirmed =
      seen.strength === 'strong' || (weakPending && announcementOf(before.weakAvailability) === announced);
    if (!confirmed) return { ...waiting, action: 'recheck', weak: 'begin' };
    const opened = { ...settled, opensInRow: 0, kind: announced, trickling: false };
    const reopens =
      alert.kind === 'closed' && announced === before.kind && isWithin(alert.forMs, RESTOCK_REOPEN_WITHIN_MS);
    if (!reopens) return { ...opened, action: 'open' };
    const lately = before.reopenedForMs.filter((ageMs) => isWithin(ageMs, TRICKLING_WITHIN_MS));
    const trickling = before.trickling || lately.length + 1 >= REOPENINGS_TO_TRICKLE;
    return { ...opened, action: 'reopen', trickling };
  }

  if (!live) return { ...settled, opensInRow: 0 };
  const misses = Math.min(before.opensInRow + 1, NEGATIVES_TO_CLOSE);
  const comesAndGoes =
    before.trickling && before.unseenForMs !== null && isWithin(before.unseenForMs, TRICKLING_ENDS_AFTER_MS);
  const closes = misses >= NEGATIVES_TO_CLOSE && !comesAndGoes;
  return { ...settled, action: closes ? 'close' : 'none', opensInRow: misses };
}

/** Whether stock or a pre-order differs from the settled state or the live pre-order alert. */
function isNews(announced: RestockKind, before: BeforeRestock, live: boolean): boolean {
  if (live) return announced === 'restock' && before.kind === 'preorder';
  if (before.availability === null || isBuyable(before.availability)) return false;
  return announced === 'restock' || before.availability === 'out_of_stock';
}
