import { SECOND } from '../clock';

/**
 * How an attempt ended. `answered`: accepted, or refused for a reason of its own. `busy`: refused for now (HTTP 429, 5xx).
 * `silent`: no whole answer: a time-out, a refused or broken connection. `unused`: nothing was sent.
 */
export type AttemptEnd = 'answered' | 'busy' | 'silent' | 'unused';

/** A running attempt; its slot is free once it ended. */
export interface LimitedAttempt {
  /** Call it exactly once. */
  end(how: AttemptEnd): void;
}

/** Limits the attempts at the same time, in total and by destination: a host, a mail domain, a webhook. */
export interface DestinationLimiter {
  /**
   * Begins an attempt, or returns null while its destination has enough of them or is paused, or no slot is free.
   * `owner`: whom the attempt is for; counts only with `perOwner`.
   */
  begin(destination: string, owner?: string): LimitedAttempt | null;
  /** Whether the destination has answered and still does. Such destinations go first and have slots of their own. */
  isProven(destination: string): boolean;
}

export interface DestinationLimits {
  /** Attempts that may run, those that are slow not counted. */
  slots: number;
  /** Attempts that may run, slow ones included. */
  total: number;
  /** Attempts that may run at one destination that answers. */
  perDestination: number;
  /** Attempts that may run for one owner; default: no limit. */
  perOwner?: number;
  /** After this time without an answer an attempt is slow: it leaves its slot to others (default: one second). */
  slowAfterMs?: number;
  /** A clock that is never set back, in ms. */
  now?: () => number;
}

const SLOW_AFTER_MS = SECOND;
/** Attempts at a destination that has not answered yet. Each answer allows one more, up to `perDestination`. */
const FIRST_WINDOW = 4;
/** Failures in a row after which a destination is paused. */
const SILENT_LIMIT = 3;
const BUSY_LIMIT = 5;
/** The first pause; each further one without an answer lasts twice as long, up to the longest. */
const FIRST_PAUSE_MS = 2 * SECOND;
const LONGEST_PAUSE_MS = 15 * SECOND;
/** Destinations come from outside, so the number of those that are remembered has a limit. */
const MAX_REMEMBERED = 5_000;

interface Running {
  began: number;
  destination: Destination;
}

interface Destination {
  /** In the order of their begin. */
  running: Set<Running>;
  window: number;
  proven: boolean;
  answeredAt: number;
  silentInRow: number;
  busyInRow: number;
  pauses: number;
  pausedUntil: number;
}

const newDestination = (): Destination => ({
  running: new Set(),
  window: FIRST_WINDOW,
  proven: false,
  answeredAt: Number.NEGATIVE_INFINITY,
  silentInRow: 0,
  busyInRow: 0,
  pauses: 0,
  pausedUntil: Number.NEGATIVE_INFINITY,
});

/**
 * Keeps slow and silent destinations from delaying the others:
 *
 * - A destination gets few attempts until it answers, and one more for each answer, up to `perDestination`.
 * - While it has answered nothing since its oldest running attempt began, and that one is slow, it gets no more.
 * - After `SILENT_LIMIT` attempts in a row without an answer, or `BUSY_LIMIT` temporary refusals, it is paused for some
 *   seconds, then gets one attempt: an answer ends the pauses, a failure begins the next (a circuit breaker).
 * - A slow attempt leaves its slot to others.
 * - Destinations that have not answered, or no longer do, share half of the slots, so that any number of them leaves the
 *   other half to those that answer.
 *
 * Use: call `begin` before an attempt; on null, leave the message where it waits (do not claim it), and try again when
 * another attempt has ended or after a fraction of a second; call `end` with what happened. `createBacklog` chooses
 * fairly among messages to several destinations; `createSender` does all of this for the rows of an outbox.
 */
export function createDestinationLimiter({
  slots,
  total,
  perDestination,
  perOwner = Number.POSITIVE_INFINITY,
  slowAfterMs = SLOW_AFTER_MS,
  now = () => performance.now(),
}: DestinationLimits): DestinationLimiter {
  const destinations = new Map<string, Destination>();
  const owners = new Map<string, number>();
  /** Attempts that hold a slot, in the order of their begin. */
  const prompt = new Set<Running>();
  const counts = { proven: 0, unproven: 0, unprovenPrompt: 0 };

  function setProven(destination: Destination, proven: boolean): void {
    if (destination.proven === proven) return;
    destination.proven = proven;
    const moved = proven ? destination.running.size : -destination.running.size;
    counts.proven += moved;
    counts.unproven -= moved;
    for (const attempt of destination.running)
      if (prompt.has(attempt)) counts.unprovenPrompt += proven ? -1 : 1;
  }

  function leaveSlot(attempt: Running): void {
    if (prompt.delete(attempt) && !attempt.destination.proven) counts.unprovenPrompt -= 1;
  }

  function isSilent({ running, answeredAt }: Destination, at: number): boolean {
    const [oldest] = running;
    return oldest !== undefined && at - oldest.began >= slowAfterMs && answeredAt < oldest.began;
  }

  /** Takes the slots of slow attempts back. */
  function freeSlots(at: number): void {
    for (const attempt of prompt) {
      if (at - attempt.began < slowAfterMs) return;
      leaveSlot(attempt);
      if (isSilent(attempt.destination, at)) setProven(attempt.destination, false);
    }
  }

  function hasRoom(destination: Destination): boolean {
    if (prompt.size >= slots || counts.proven + counts.unproven >= total) return false;
    if (destination.proven) return true;
    return counts.unprovenPrompt < Math.ceil(slots / 2) && counts.unproven < Math.ceil(total / 2);
  }

  function remember(name: string): Destination {
    const known = destinations.get(name);
    if (known !== undefined) return known;
    if (destinations.size >= MAX_REMEMBERED)
      for (const [other, { running }] of destinations)
        if (running.size === 0) {
          destinations.delete(other);
          break;
        }
    const added = newDestination();
    destinations.set(name, added);
    return added;
  }

  function pause(destination: Destination, at: number): void {
    setProven(destination, false);
    destination.window = 1;
    // The failures of attempts that ran at the same time begin one pause.
    if (at < destination.pausedUntil) return;
    destination.pausedUntil = at + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** destination.pauses);
    destination.pauses += 1;
  }

  function learn(destination: Destination, how: Exclude<AttemptEnd, 'unused'>, at: number): void {
    if (how !== 'silent') destination.answeredAt = at;
    if (how === 'answered') {
      setProven(destination, true);
      Object.assign(destination, { silentInRow: 0, busyInRow: 0, pauses: 0, pausedUntil: at });
      destination.window = Math.min(perDestination, destination.window + 1);
      return;
    }
    if (how === 'silent') destination.silentInRow += 1;
    else destination.busyInRow += 1;
    if (destination.silentInRow >= SILENT_LIMIT || destination.busyInRow >= BUSY_LIMIT)
      pause(destination, at);
  }

  return {
    begin(name, owner) {
      const at = now();
      freeSlots(at);
      const owned = owner === undefined ? 0 : (owners.get(owner) ?? 0);
      const destination = remember(name);
      if (
        owned >= perOwner ||
        at < destination.pausedUntil ||
        destination.running.size >= Math.min(destination.window, perDestination) ||
        isSilent(destination, at) ||
        !hasRoom(destination)
      )
        return null;
      const attempt: Running = { began: at, destination };
      destination.running.add(attempt);
      prompt.add(attempt);
      counts[destination.proven ? 'proven' : 'unproven'] += 1;
      if (!destination.proven) counts.unprovenPrompt += 1;
      if (owner !== undefined) owners.set(owner, owned + 1);
      return {
        end(how) {
          leaveSlot(attempt);
          destination.running.delete(attempt);
          counts[destination.proven ? 'proven' : 'unproven'] -= 1;
          if (owner !== undefined) {
            const left = (owners.get(owner) ?? 1) - 1;
            if (left === 0) owners.delete(owner);
            else owners.set(owner, left);
          }
          if (how !== 'unused') learn(destination, how, now());
        },
      };
    },
    isProven: (name) => destinations.get(name)?.proven ?? false,
  };
}

/** Limits the attempts in total, whatever their destination. A slow one leaves its slot; `total` counts it as well. */
export function createSlots({
  slots,
  total = slots,
  slowAfterMs = Number.POSITIVE_INFINITY,
  now = () => performance.now(),
}: Pick<DestinationLimits, 'slots' | 'slowAfterMs' | 'now'> & { total?: number }): DestinationLimiter {
  const prompt = new Set<{ began: number }>();
  let running = 0;
  return {
    begin() {
      const at = now();
      for (const attempt of prompt) {
        if (at - attempt.began < slowAfterMs) break;
        prompt.delete(attempt);
      }
      if (prompt.size >= slots || running >= total) return null;
      const attempt = { began: at };
      prompt.add(attempt);
      running += 1;
      return {
        end() {
          prompt.delete(attempt);
          running -= 1;
        },
      };
    },
    isProven: () => true,
  };
}
