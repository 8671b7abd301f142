/** Keeps the newest entries and forgets the oldest, so that a sandbox left running for days does not grow. */
export interface RecentList<T> {
  add(entry: T): void;
  list(): T[];
  clear(): void;
}

/** @param limit how many entries are kept */
export function createRecentList<T>(limit: number): RecentList<T> {
  let entries: T[] = [];
  return {
    add(entry) {
      entries.push(entry);
      if (entries.length >= limit * 2) entries = entries.slice(-limit);
    },
    list: () => entries.slice(-limit),
    clear() {
      entries = [];
    },
  };
}
