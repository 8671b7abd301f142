import { randomUUID } from 'node:crypto';

/** A new text id (UUID v4), as every table uses. */
export function newId(): string {
  return randomUUID();
}

let last = { time: '', count: 0 };

/**
 * A new id that sorts by its time (epoch ms), and by the order of the calls within it: a UUID v7 with a counter (RFC 9562,
 * sections 5.7 and 6.2). For tables that receive thousands of rows
 * at once: ids in order fill a few pages of the index, random ids touch one page each.
 */
export function newOrderedId(now: number): string {
  const time = now.toString(16).padStart(12, '0');
  last = { time, count: time === last.time ? last.count + 1 : 0 };
  const count = (last.count % 0x1000).toString(16).padStart(3, '0');
  // The variant bits of the random UUID are the same.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count}${randomUUID().slice(18)}`;
}
