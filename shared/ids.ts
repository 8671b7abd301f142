import { randomUUID } from 'node:crypto';

/** A new text id (UUID v4), as every table uses. */
export function newId(): string {
  return randomUUID();
}
