import { DAY } from '../clock';
import type { Database } from '../database/schema';
import { deleteOlder } from '../database/delete-in-batches';

/** How long an entry of the audit log is kept. */
export const AUDIT_RETENTION_MS = 365 * DAY;

/** Deletes the entries of the audit log that are a year old. Returns how many. `now`: epoch ms. */
export function purgeAudit(db: Database, now: number): Promise<number> {
  return deleteOlder(db, 'audit_log', now - AUDIT_RETENTION_MS);
}
