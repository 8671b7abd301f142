import { randomUUID } from 'node:crypto';

/** A new text id (UUID v4), as every table uses. */
export function newId(): string {
  return randomUUID();
}

/**
 * A new id that sorts by its time (epoch ms): a UUID v7 (RFC 9562, section 5.7). For tables that receive thousands of rows
 * at once: ids in order fill a few pages of the index, random ids touch one page each.
 */
export function newOrderedId(now: number): string {
  const time = now.toString(16).padStart(12, '0');
  // The version replaces that of the random UUID; its variant bits are the same.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
