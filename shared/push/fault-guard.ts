import { MINUTE, type Clock } from '../clock';
import type { EndReason } from './ended-subscriptions';

/** A fault of a push service or of this server, which ends no subscription. */
export interface ServiceFault {
  /** The push service; null: all of them. */
  host: string | null;
  why: EndReason;
  /** When the first of the answers arrived that show it (epoch ms): subscriptions that ended since are restored. */
  since: number;
}

/** Decides whether a refusal is about one subscription, or shows a fault of the push service or ours (clock, key). */
export interface FaultGuard {
  /** Counts an answer. Returns the fault that it belongs to, or null. */
  count(host: string, how: EndReason | 'accepted'): ServiceFault | null;
}

/** This many refusals, and this share of all answers, indicate a fault. Expired subscriptions are frequent; refused keys are rare. */
const RULES: Record<EndReason, { atLeast: number; part: number }> = {
  refused: { atLeast: 3, part: 0.5 },
  gone: { atLeast: 20, part: 0.8 },
};
/** After this time without answers of a push service, its counts begin anew. */
const FORGET_AFTER_MS = 10 * MINUTE;
/** Hosts come from outside. */
const MAX_HOSTS = 1_000;

interface Counts {
  since: number;
  lastAt: number;
  answers: number;
  refused: number;
  gone: number;
}

/** Counts the answers of each push service, and of all of them, while they send. */
export function createFaultGuard(clock: Clock): FaultGuard {
  const byHost = new Map<string | null, Counts>();

  function countsOf(host: string | null, now: number): Counts {
    const known = byHost.get(host);
    if (known !== undefined && Math.abs(now - known.lastAt) < FORGET_AFTER_MS) return known;
    const [oldest] = [...byHost.keys()].slice(0, 2).filter((name) => name !== null);
    if (byHost.size >= MAX_HOSTS && oldest !== undefined) byHost.delete(oldest);
    const fresh: Counts = { since: now, lastAt: now, answers: 0, refused: 0, gone: 0 };
    byHost.set(host, fresh);
    return fresh;
  }

  return {
    count(host, how) {
      const now = clock.now();
      let fault: ServiceFault | null = null;
      // If all services refuse the keys, the fault is this server's: then the few subscriptions of a small service are kept as well.
      for (const scope of how === 'gone' ? [host] : [null, host]) {
        const counts = countsOf(scope, now);
        counts.lastAt = now;
        counts.answers += 1;
        if (how === 'accepted') continue;
        counts[how] += 1;
        const { atLeast, part } = RULES[how];
        if (counts[how] >= atLeast && counts[how] >= counts.answers * part)
          fault ??= { host: scope, why: how, since: counts.since };
      }
      return fault;
    },
  };
}
