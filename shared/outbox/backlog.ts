import type { DestinationLimiter, LimitedAttempt } from './destination-limiter';

/** A message that waits to be sent. */
export interface Waiting {
  id: string;
  /** Where it goes, as in `DestinationLimiter`; null when nothing will be sent, because it is too late for example. */
  destination: string | null;
  /** Whom it is for, where the limiter counts owners. */
  owner?: string;
  isRetry: boolean;
}

/** A message whose attempt may begin, with its slot; null for one without a destination. */
export interface Chosen {
  id: string;
  attempt: LimitedAttempt | null;
}

/** The messages of one destination (and owner), in the order in which they were added. */
interface Group {
  destination: string;
  owner: string | undefined;
  firstAttempts: string[];
  retries: string[];
}

/**
 * Creates the messages that wait for the slots of a limiter. First attempts go before retries, destinations that answer
 * before the others, and those before the destinations with fewer messages: a push service before a host of one browser.
 * They take turns.
 */
export function createBacklog(limiter: DestinationLimiter) {
  const groups = new Map<string, Group>();
  let settled: string[] = [];
  let count = 0;
  let turn = 0;

  function groupOf(destination: string, owner: string | undefined): Group {
    const key = owner === undefined ? destination : `${destination} ${owner}`;
    const known = groups.get(key);
    if (known !== undefined) return known;
    const added: Group = { destination, owner, firstAttempts: [], retries: [] };
    groups.set(key, added);
    return added;
  }

  /** The groups with messages of a kind, in the order in which they are served. */
  function inOrder(kind: 'firstAttempts' | 'retries'): Group[] {
    const withSome = [...groups.values()].filter((group) => group[kind].length > 0);
    const proven = withSome.filter(({ destination }) => limiter.isProven(destination));
    const others = withSome.filter(({ destination }) => !limiter.isProven(destination));
    const from = proven.length === 0 ? 0 : turn % proven.length;
    return [
      ...proven.slice(from),
      ...proven.slice(0, from),
      ...others.sort((a, b) => b[kind].length - a[kind].length),
    ];
  }

  function takeKind(kind: 'firstAttempts' | 'retries', most: number): Chosen[] {
    const chosen: Chosen[] = [];
    for (let round = inOrder(kind); round.length > 0 && chosen.length < most;)
      round = round.filter((group) => {
        if (chosen.length >= most || group[kind].length === 0) return false;
        const attempt = limiter.begin(group.destination, group.owner);
        if (attempt === null) return false;
        chosen.push({ id: group[kind].shift() as string, attempt });
        return true;
      });
    return chosen;
  }

  return {
    add(messages: readonly Waiting[]) {
      count += messages.length;
      for (const { id, destination, owner, isRetry } of messages)
        if (destination === null) settled.push(id);
        else groupOf(destination, owner)[isRetry ? 'retries' : 'firstAttempts'].push(id);
    },
    /** Removes at most `most` messages whose attempts may begin now, and begins them. */
    take(most: number) {
      turn += 1;
      const chosen: Chosen[] = settled.slice(0, most).map((id) => ({ id, attempt: null }));
      settled = settled.slice(most);
      chosen.push(...takeKind('firstAttempts', most - chosen.length));
      chosen.push(...takeKind('retries', most - chosen.length));
      count -= chosen.length;
      for (const [key, { firstAttempts, retries }] of groups)
        if (firstAttempts.length + retries.length === 0) groups.delete(key);
      return chosen;
    },
    clear() {
      groups.clear();
      settled = [];
      count = 0;
    },
    size: () => count,
  };
}
